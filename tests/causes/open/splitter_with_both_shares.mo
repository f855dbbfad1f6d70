// cause: redundant_equations | undetermined_variable
// culprits: F1, F2, F3
// why: the two shares add up to one, so that the balance of the splitter follows from them, and nothing says how much is fed.
model SplitterWithBothShares "feed of two reactors, without the pump"
  parameter Real s = 0.3, A = 2, k = 0.1;
  Real F1(start = 1), F2(start = 0.3), F3(start = 0.7), h(start = 1, fixed = true);
equation
  F1 = F2 + F3;
  F2 = s*F1;
  F3 = (1 - s)*F1;
  A*der(h) = F2 - k*h;
  annotation(experiment(StopTime = 10));
end SplitterWithBothShares;
