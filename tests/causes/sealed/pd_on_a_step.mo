// cause: discontinuity
// or: y(3) = 0.7994061 +- 1e-4
// culprits: r, e, u
// time: 1 +- 1e-6
// why: der(e) contains the derivative of the step r, an impulse at t = 1. (In the sense of distributions y jumps to
//     1/3 there.)
model PdOnAStep "ideal PD controller, and a setpoint that is a step"
  parameter Real T = 1, Kp = 4, Td = 0.5;
  Real y(start = 0, fixed = true), r, e, u;
equation
  r = if time < 1 then 0 else 1;
  e = r - y;
  u = Kp*e + Td*der(e);
  T*der(y) = u - y;
  annotation(experiment(StopTime = 3));
end PdOnAStep;
