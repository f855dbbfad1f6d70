// Linear-quadratic control without control cost: the condition 0 = B'*p of optimality contains no
// control, and its second derivative determines it.  Index 3, two start values are free; with
// --final p1=0 that of x2 is the one for which the costate p1 is zero at the end.
// reference: u = 0.7114874211671 at t = 2, tolerance 1e-5
// from: closed form of the states on the manifold (tests/golden/reference_values.py)
model LqControlIndex3 "cheap control of a second-order system, index 3"
  Real x1(start = 1, fixed = true), x2(start = -1) "states";
  Real p1, p2 "costates";
  Real u "control";
equation
  der(x1) = 0.1*x1 + x2;
  der(x2) = -0.5*x1 + 0.2*x2 + u;
  der(p1) = -x1 - 0.1*p1 + 0.5*p2;
  der(p2) = -x2 - p1 - 0.2*p2;
  p2 = 0;
  annotation(experiment(StopTime = 2));
end LqControlIndex3;
