// rule: a reinit of a variable that is a nonlinear function of a state leads the state to it, however far
// expect w(0.5-) = 1
// expect w(0.5+) = 27
// expect x(0.5+) = 3
// expect x(1) = 3
// expect b(0.5+) = -0.125
// expect v(0.5+) = 0.5
model ReinitOfPower
  Real x(start = 1, fixed = true), w, v(start = 2, fixed = true), b;
equation
  der(x) = 0;
  w = x^3;
  der(v) = 0;
  b = -v^3;
  when time > 0.5 then
    reinit(w, 27);
    reinit(b, -0.125);
  end when;
  annotation(experiment(StopTime = 1));
end ReinitOfPower;
