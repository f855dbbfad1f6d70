// rule: a variable that is assigned only where that is never executed keeps its start value
// expect y(1) = 7
// expect z(1) = 5
// expect n(1) = 2
// expect u(1) = 3
model AlgorithmIdleBranch
  parameter Boolean on = false;
  parameter Integer k = 0;
  Real x(start = 1, fixed = true), y(start = 7), u;
  discrete Real z(start = 5, fixed = true);
  Integer n(start = 2, fixed = true);
equation
  der(x) = -x;
  u = 3;
algorithm
  if on then
    y := k;
    u := 1;
  end if;
  when x < 0.5 then
    if on then
      z := 1;
    end if;
  end when;
  when on then
    n := 4;
  end when;
  annotation(experiment(StopTime = 1));
end AlgorithmIdleBranch;
