// rule: the default start is 0 and false
// expect x(0) = 0
// expect b(0) = false
// expect n(0) = 0
model StartDefault
  Real x;
  Boolean b;
  Integer n;
equation
  der(x) = 1;
  when x > 0.5 then
    b = true;
    n = 2;
  end when;
  annotation(experiment(StopTime = 1));
end StartDefault;
