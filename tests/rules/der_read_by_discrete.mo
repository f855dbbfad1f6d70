// rule: der() of variables that are no states, read by conditions, whens, asserts and reinit alone
// run solve
// run solve --method bdf
// run solve --method rodas
// a' = 6 cos(6 time) is positive until pi/12; s' = 2 a'; b' = 2 x = 1 at 0.5.
// expect x(0.5) = pi/12
// expect y(0.5) = pi/12
// expect steep(0.2) = true
// expect steep(0.25) = false
// expect n(0.5) = 1
// expect k(0.39) = 12*cos(1.8)
// expect m(0.6) = 1
// expect z(0.6) = 6*cos(3) + 0.1 +- 1e-4
// expect warning 'a rises'
model DerReadByDiscrete
  Real x(start = 0, fixed = true), y(start = 0, fixed = true), z(start = 0, fixed = true);
  Real u(start = 0, fixed = true);
  Real a = sin(6*time), s = 2*a, b;
  Boolean up = der(a) > 0, steep;
  discrete Real k(start = 0, fixed = true), m(start = 0, fixed = true);
  Integer n(start = 0, fixed = true);
algorithm
  steep := der(s) > 3;
  when sample(0.1, 0.1) then
    k := der(s);
  end when;
equation
  b = u^2;
  der(u) = 1;
  der(x) = if up then 1 else 0;
  der(y) = noEvent(if der(a) > 0 then 1 else 0);
  der(z) = 1;
  when der(a) < 0 then
    n = pre(n) + 1;
  end when;
  when time >= 0.5 then
    m = der(b);
    reinit(z, der(a));
  end when;
  assert(der(a) < 1, "a rises", AssertionLevel.warning);
  annotation(experiment(StopTime = 0.6));
end DerReadByDiscrete;
