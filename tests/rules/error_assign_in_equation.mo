// rule: := belongs to algorithms
// expect exit 3
// expect error 7 ':='
model ErrorAssignInEquation
  Real x;
equation
  x := 2;
  annotation(experiment(StopTime = 1));
end ErrorAssignInEquation;
