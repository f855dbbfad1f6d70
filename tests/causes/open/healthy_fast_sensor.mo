// cause: none
// expect: y(10) = -0.8390715290764524 +- 1e-5
// why: der(y) = 1e8 (cos(t) - y) - sin(t) with y(0) = 1 has the solution cos(t).
model HealthyFastSensor "a sensor with a time constant of 10 ns follows a slow signal"
  Real y(start = 1, fixed = true), signal, dsignal, e, I(start = 0, fixed = true);
equation
  signal = cos(time);
  dsignal = -sin(time);
  e = signal - y;
  der(y) = 1e8*e + dsignal;
  der(I) = y;
  annotation(experiment(StopTime = 10));
end HealthyFastSensor;
