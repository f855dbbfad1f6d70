// rule: a when that its own consequences make false again is not taken back: friction of 1.2 holds, friction of 1 brakes
// F = 3 sin(2 t) exceeds 1.2 at t1 = asin(0.4)/2; then v = 1.5 (cos(2 t1) - cos(2 t)) - (t - t1)
// expect m(0.1) = 0
// expect m(0.3) = 1
// expect v(0.8) = 1.5*(sqrt(1 - 0.16) - cos(1.6)) - (0.8 - asin(0.4)/2)
// expect f(0.8) = 1
// expect f(0.1) = 3*sin(0.2)
model WhenNotTakenBack
  Real v(start = 0, fixed = true), f, F = 3*sin(2*time);
  Integer m(start = 0, fixed = true);
equation
  der(v) = F - f;
  if m == 0 then
    der(v) = 0;
  else
    f = m;
  end if;
  when pre(m) == 0 and f > 1.2 then
    m = 1;
  elsewhen pre(m) == 1 and v < 0 then
    m = 0;
    reinit(v, 0);
  end when;
  annotation(experiment(StopTime = 1));
end WhenNotTakenBack;
