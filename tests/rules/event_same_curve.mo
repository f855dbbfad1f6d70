// rule: two events of one step are located on the same curve, so that the first one is not found again at the second
// run solve --method limex --rtol 1e-4
// run solve --method rodas --rtol 1e-4
// run solve
// expect n(10) = 2
// expect m(10) = 2
model EventSameCurve
  Real x(start = 1, fixed = true), y(start = 1, fixed = true);
  Integer n(start = 0, fixed = true), m(start = 0, fixed = true);
  Boolean b = x >= 1;
equation
  der(x) = -cos(time);
  der(y) = cos(time);
  when x >= 1 then
    n = pre(n) + 1;
  end when;
  when y > 1 then
    m = pre(m) + 1;
  end when;
  annotation(experiment(StopTime = 10));
end EventSameCurve;
