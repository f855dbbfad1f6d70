// The linear-quadratic regulator: x' = x + u at the least cost of x^2 + u^2.  The condition
// 0 = u + p of optimality contains the control: index 1.  The costate p is zero at the end, t = 1:
// --final p=0 finds its start, which is written here, from any other.
// reference: x = 1.234743685 at t = 1, tolerance 1e-5
// from: closed form (tests/golden/reference_values.py)
model LqControlIndex1 "the linear-quadratic regulator, index 1"
  Real x(start = 1, fixed = true) "state";
  Real p(start = 1.689498391594383) "costate";
  Real u "control";
  Real cost(start = 0, fixed = true);
equation
  der(x) = x + u;
  der(p) = -x - p;
  0 = u + p;
  der(cost) = (x^2 + u^2)/2;
  annotation(experiment(StopTime = 1, Tolerance = 1e-8));
end LqControlIndex1;
