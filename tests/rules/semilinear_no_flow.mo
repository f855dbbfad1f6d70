// rule: where nothing flows a junction described by semiLinear has the mean of what it joins; with a flow it has what flows in
// expect h(0.5) = 30
// expect h(2) = 20
// expect h(4) = 36.6666666667
// expect u(0.5) = 30
model SemilinearNoFlow
  Real m1, m2, m3, H1, H2, H3, h, u, K1, K2;
  Real a(start = 40, fixed = true), b(start = 20, fixed = true), c(start = 30, fixed = true);
equation
  m1 = if time < 1 then 0 else if time < 3 then 1 else -2;
  m1 + m2 + m3 = 0;
  m3 = if time < 3 then 0 else m1/2;
  H1 = semiLinear(m1, h, a);
  H2 = semiLinear(m2, h, b);
  H3 = semiLinear(m3, h, c);
  H1 + H2 + H3 = 0;
  der(a) = 0;
  der(b) = 0;
  der(c) = 0;
  K1 = semiLinear(0*time, u, a);
  K2 = semiLinear(0*time, u, b);
  K1 + K2 = 0;
  annotation(experiment(StopTime = 4));
end SemilinearNoFlow;
