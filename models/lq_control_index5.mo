// Linear-quadratic control without control cost that weighs only the first state, which therefore
// follows its reference exactly.  Index 5, no start value is free.
// reference: u = -0.3116187139122 at t = 2, tolerance 1e-6
// from: closed form (tests/golden/reference_values.py)
model LqControlIndex5 "exact tracking as the limit of cheap control, index 5"
  Real x1, x2 "states";
  Real p1, p2 "costates";
  Real u "control";
  Real r "what x1 is to follow";
equation
  r = sin(time);
  der(x1) = 0.1*x1 + x2;
  der(x2) = -0.5*x1 + 0.2*x2 + u;
  der(p1) = -(x1 - r) - 0.1*p1 + 0.5*p2;
  der(p2) = -p1 - 0.2*p2;
  p2 = 0;
  annotation(experiment(StopTime = 5));
end LqControlIndex5;
