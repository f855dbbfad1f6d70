// rule: a reinit in a when that is active at the start, by initial(), is an initial equation
// expect x(0) = 5
// expect x(0.5) = 5*exp(-0.5)
// expect x(1.5) = 7*exp(-0.5)
// expect v(0) = 2
// expect y(1) = cos(1) + 2*sin(1)
model ReinitAtTheStart
  Real x(start = 1), y(start = 1, fixed = true), v(start = 0);
equation
  der(x) = -x;
  der(y) = v;
  der(v) = -y;
  when {initial(), time > 1} then
    reinit(x, if time > 0.5 then 7 else 5);
  end when;
  when initial() then
    reinit(v, 2);
  end when;
  annotation(experiment(StopTime = 1.5));
end ReinitAtTheStart;
