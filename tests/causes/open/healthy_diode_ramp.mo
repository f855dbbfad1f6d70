// cause: none
// expect: v(1) = 0.6924903752 +- 1e-5; i(1) = 0.004307509625 +- 1e-6
// why: 5 t = R i + v, i = Is (exp(v/Vt) - 1): at t = 1 solved by Newton's iteration in Python.
model HealthyDiodeRamp "exponential diode, currents from 1e-14 A to milliamperes"
  parameter Real Is = 1e-14, Vt = 0.02585, R = 1000, C = 1e-6;
  Real u, v(start = 0), i(start = 0), q(start = 0, fixed = true), P;
equation
  u = 5*time;
  u = R*i + v;
  i = Is*(exp(v/Vt) - 1);
  der(q) = i;
  P = v*i;
  annotation(experiment(StopTime = 1));
end HealthyDiodeRamp;
