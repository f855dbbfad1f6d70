// rule: a network whose flow at the start is the reverse of every guess, with slopes that vanish at zero
// The supply is found for a prescribed flow through the bridge.
// expect q[4](0) = -0.3
// expect supply(0) = -2.730982017913122
model StartPipesReversed
  parameter Real r[5] = {1, 5, 1, 2, 1};
  Real q[5](start = {1, 1, 1, -1, 1}), p[3](start = {1, 0, 0});
  Real supply(start = 1), demand(start = -0.3, fixed = true);
equation
  der(supply) = 0;
  p[1] = supply;
  p[1] - p[2] = r[1]*q[1]*abs(q[1]);
  p[1] - p[3] = r[2]*q[2]*abs(q[2]);
  p[2] = r[3]*q[3]*abs(q[3]);
  p[2] - p[3] = r[4]*q[4]*abs(q[4]);
  p[3] = r[5]*q[5]*abs(q[5]);
  q[1] = q[3] + q[4];
  q[2] + q[4] = q[5];
  demand = q[4];
  annotation(experiment(StopTime = 0.1));
end StartPipesReversed;
