// cause: none
// expect: vf(0.033) = 0.07241825 +- 1e-4; v(0.033) = -0.70614844 +- 1e-4
// why: two diodes in opposition, 2e-14 sinh(v/0.02585), limit a sine of 10 V; the node has no capacitance. The node by
//     bisection, the filter with Dormand and Prince of order 8.
model HealthyClipperWithTwoDiodes "limiter and low-pass"
  parameter Real Is = 2e-14, VT = 0.02585, R = 1e3, R2 = 1e4, C = 1e-6, pi = 3.141592653589793;
  Real u, v, id, vf(start = 0, fixed = true);
equation
  u = 10*sin(2*pi*50*time);
  id = Is*sinh(v/VT);
  (u - v)/R = id + (v - vf)/R2;
  C*der(vf) = (v - vf)/R2;
  annotation(experiment(StopTime = 0.033));
end HealthyClipperWithTwoDiodes;
