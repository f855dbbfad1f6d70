// cause: no_solution
// culprits: h
// time: 0
// why: at 80 degrees north in June cos(h) = -tan(phi) tan(delta) = -2.46: the sun does not set, and there is no such angle.
model SunDoesNotSet "length of the day, and the light that was gathered"
  parameter Real phi = 1.3962634015954636, delta = 0.4090926294954782;
  Real h(start = 1.5), light(start = 0, fixed = true);
equation
  cos(h) = -tan(phi)*tan(delta);
  der(light) = h*sin(phi)*sin(delta) + cos(phi)*cos(delta)*sin(h);
  annotation(experiment(StopTime = 10));
end SunDoesNotSet;
