// cause: assertion
// culprits: p, boils
// time: 0
// why: the pressure at the start is 0.8e5, and the assertion at the start demands more than 1e5.
model BelowItsBoilingPressure
  parameter Real p0 = 0.8e5, k = 2e-6;
  Real p(start = p0, fixed = true), q, V(start = 0, fixed = true);
initial equation
  assert(p > 1e5, "the water boils at this pressure");
equation
  q = k*(p - 0.5e5);
  der(p) = -1e4*q;
  der(V) = q;
  annotation(experiment(StopTime = 10));
end BelowItsBoilingPressure;
