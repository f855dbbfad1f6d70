// cause: assertion
// culprits: m, mass
// time: 0
// why: the total mass is 0.5 - 0.8 < 0 at the start, which the modeller's assertion forbids.
model MassMustBePositive
  parameter Real m1 = 0.5, m2 = -0.8, k = 10;
  Real m, x(start = 1, fixed = true), v(start = 0, fixed = true), F;
equation
  m = m1 + m2;
  assert(m > 0, "the mass must be positive");
  F = -k*x;
  der(x) = v;
  m*der(v) = F;
  annotation(experiment(StopTime = 1));
end MassMustBePositive;
