// rule: an Integer variable is not given a Real value in when
// expect exit 3
// expect error 9 'Integer'
model ErrorIntegerInWhen
  Real x(start = 1, fixed = true);
  Integer k(start = 0, fixed = true);
equation
  when x < 0.5 then
    k = pre(k) + 0.5;
  end when;
  der(x) = -x;
  annotation(experiment(StopTime = 1));
end ErrorIntegerInWhen;
