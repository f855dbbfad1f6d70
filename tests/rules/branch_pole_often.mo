// rule: steps that jump over a pole are repeated as often as a run comes near it
// An acid that is made alkaline and acid again 30 times: h = (c + sqrt(c^2 + 4e-14))/2 for c > 0 with c = cos(2 pi t).
// run solve
// expect h(29.6) = 1e-14/0.8090169943749475 +- 1e-6
// expect h(30) = 1
// expect no warning
model BranchPoleOften
  constant Real pi = 3.141592653589793;
  Real c(start = 1, fixed = true), s(start = 0, fixed = true), h(start = 1);
equation
  der(c) = -2*pi*s;
  der(s) = 2*pi*c;
  h - 1e-14/h = c;
  assert(h > 0, "h is positive");
  annotation(experiment(StopTime = 30));
end BranchPoleOften;
