// cause: text
// culprits: <, x
// why: relations do not associate: 0 < x < 1 must be written 0 < x and x < 1.
model BetweenTwoLimits "force that acts inside a window"
  Real x(start = -0.5, fixed = true), v(start = 1, fixed = true), F;
equation
  F = if 0 < x < 1 then -2 else 0;
  der(x) = v;
  der(v) = F;
  annotation(experiment(StopTime = 2));
end BetweenTwoLimits;
