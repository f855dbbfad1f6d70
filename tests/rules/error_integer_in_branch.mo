// rule: an Integer variable is not given a Real value in a branch
// expect exit 3
// expect error 11 'Integer'
model ErrorIntegerInBranch
  Real x(start = 0.5, fixed = true);
  Integer n;
equation
  if x > 1 then
    n = 1;
  else
    n = 2.5;
  end if;
  der(x) = 1;
  annotation(experiment(StopTime = 1));
end ErrorIntegerInBranch;
