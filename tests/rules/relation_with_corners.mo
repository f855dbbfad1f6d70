// rule: a condition that holds for a moment around corners of abs, min and max is not passed over
// run solve
// run solve --method bdf
// run solve --method limex
// expect n(3.2) = 0
// expect n(3.4) = 1
// expect k(7.5) = 1
// expect m(1.5) = 1
// expect m(9) = 2
// expect j(4.9) = 0
// expect j(5.2) = 1
// expect z(10) = 2 +- 1e-4
model RelationWithCorners
  Real x(start = 0, fixed = true), z(start = 0, fixed = true);
  Integer n(start = 0, fixed = true), k(start = 0, fixed = true), m(start = 0, fixed = true), j(start = 0, fixed = true);
equation
  der(x) = 1;
  der(z) = if abs(x - 3.3) < 0.001 then 1000 else 0;
  when abs(x - 3.3) < 0.001 then
    n = pre(n) + 1;
  end when;
  when max(0, 1 - 1000*abs(x - 7.1)) > 0.5 then
    k = pre(k) + 1;
  end when;
  when min(abs(x - 1.234), abs(x - 8.765)) < 0.01 then
    m = pre(m) + 1;
  end when;
  when noEvent(if x < 5 then 5 - x else 0.1*(x - 5)) < 1e-3 then
    j = pre(j) + 1;
  end when;
  annotation(experiment(StopTime = 10));
end RelationWithCorners;
