// rule: where constraints bind states, values that are sampled from other states settle
// Two capacitors are joined at t = 1; afterwards every tick is an event with a constraint.
// run solve
// run solve --method bdf
// run solve --method radau
// expect va(0.9) = 9*exp(-0.45)
// expect va(3) = (18*exp(-0.5) + exp(-1))/3*exp(-4/3)
// expect vb(3) = (18*exp(-0.5) + exp(-1))/3*exp(-4/3)
// expect u(0.3) = 1
// expect u(0.5) = exp(-0.4)
// expect u(1.3) = 1 - ((1 - exp(-0.4))*exp(-0.4) + exp(-0.4)*(1 - exp(-0.4)))*exp(-0.4) - (1 - 2*(1 - exp(-0.4))*exp(-0.4))*(1 - exp(-0.4))
// expect events 8
model JoinedWhileSampled
  Real x(start = 0, fixed = true);
  discrete Real u(start = 0, fixed = true);
  Real va(start = 9, fixed = true);
  Real vb(start = 1, fixed = true);
  Real i;
  Boolean closed;
equation
  der(x) = u - x;
  when sample(0, 0.4) then
    u = 1 - x;
  end when;
  2*der(va) = -va - i;
  der(vb) = -vb + i;
  closed = time >= 1;
  if closed then
    va = vb;
  else
    i = 0;
  end if;
  annotation(experiment(StopTime = 3));
end JoinedWhileSampled;
