// cause: domain_error
// culprits: q, dp
// time: 1.5707963 +- 1e-3
// why: dp = 5 cos(t) becomes negative at pi/2, and a negative number has no power 0.57.
model DraughtReverses "leakage through a window, flow as a power of the difference of pressures"
  parameter Real k = 0.8, V = 60, Ta = 5;
  Real dp, q, leaked(start = 0, fixed = true), T(start = 22, fixed = true);
equation
  dp = 5*cos(time);
  q = k*dp^0.57;
  der(leaked) = q;
  V*der(T) = q*(Ta - T);
  annotation(experiment(StopTime = 4));
end DraughtReverses;
