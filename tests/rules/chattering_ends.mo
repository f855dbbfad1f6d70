// rule: a relation that has chattered and left its threshold is watched as closely as before
// From t = 1 on x is sin(5 (t - 1)), and s counts the time for which it is positive.
// expect s(1) = 0
// expect s(3.5132741) = 1.2566371 +- 2e-3
// expect warning 'chattering: x > 0'
model ChatteringEnds
  Real x(start = 0.1, fixed = true), s(start = 0, fixed = true);
equation
  der(x) = if time > 1 then 5*cos(5*(time - 1)) else if x > 0 then -1 else 1;
  der(s) = if time > 1 and x > 0 then 1 else 0;
  annotation(experiment(StopTime = 3.5132741));
end ChatteringEnds;
