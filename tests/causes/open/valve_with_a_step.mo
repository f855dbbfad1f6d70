// cause: discontinuity | contradiction | no_solution
// culprits: q, dp
// time: 0.8 +- 1e-3
// why: dp = ps - 0.8 q with q = 1 for dp <= 1 and q = 2 for dp > 1: q = 1 needs ps <= 1.8, q = 2 needs ps > 2.6; ps =
//     1 + t passes 1.8 at t = 0.8.
model ValveWithAStep "the characteristic of the valve jumps, in a loop with the pressure drop of the pipe"
  parameter Real A = 0.5;
  Real ps, dp(start = 0.2), q(start = 1), h(start = 0, fixed = true), pipe, total;
equation
  ps = 1 + time;
  q = noEvent(if dp > 1 then 2 else 1);
  pipe = 0.8*q;
  dp = ps - pipe;
  A*der(h) = q - 0.4*h;
  total = pipe + dp;
  annotation(experiment(StopTime = 1.5));
end ValveWithAStep;
