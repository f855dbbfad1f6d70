// cause: contradiction
// culprits: q, open, h
// time: 0.6931471806 +- 1e-3
// why: open while q < 2: open gives q = 1 + h, closed gives q = 0.5 + h. h' = 1 + h from 0, so q = 2 is reached at h
//     = 1, t = ln 2; then open would give q >= 2 and closed q < 2 until h = 1.5.
model SlopeComparesItself "relief valve whose switch looks at the flow that it switches"
  Real h(start = 0, fixed = true), q(start = 1), V;
  Boolean open(start = true);
equation
  der(h) = q;
  open = q < 2;
  q = if open then 1 + h else 0.5 + h;
  V = 2*h;
  annotation(experiment(StopTime = 1));
end SlopeComparesItself;
