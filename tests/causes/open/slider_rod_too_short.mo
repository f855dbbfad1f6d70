// cause: impasse
// culprits: x
// time: 0.9272952 +- 2e-3
// why: (x - cos(phi))^2 + sin(phi)^2 = 0.64 has a solution while sin(phi) <= 0.8; phi = t, so it ends at asin(0.8).
model SliderRodTooShort "slider-crank whose rod is shorter than the crank"
  parameter Real r = 1, l = 0.8, w = 1;
  Real phi(start = 0, fixed = true), x(start = 1.8), beta, stroke, yPin;
equation
  der(phi) = w;
  yPin = r*sin(phi);
  (x - r*cos(phi))^2 + yPin^2 = l^2;
  stroke = 1.8 - x;
  beta = phi*180/3.14159265;
  annotation(experiment(StopTime = 3));
end SliderRodTooShort;
