// cause: discontinuity | high_index
// culprits: x
// time: 1 +- 1e-6
// why: the prescribed x jumps at t = 1, v = der(x) would be an impulse and F = m der(v) its derivative: there is no
//     solution beyond t = 1 in ordinary functions.
model PrescribedPositionJumps "force that moves a carriage along a given path; the path is a step"
  parameter Real m = 2, d = 0.5, k = 10;
  Real x, v, F, P, spring;
equation
  x = if time < 1 then 0.1*time else 1 + 0.1*time;
  der(x) = v;
  m*der(v) = F - d*v - spring;
  spring = k*x;
  P = F*v;
  annotation(experiment(StopTime = 2));
end PrescribedPositionJumps;
