// rule: a discrete variable in a constraint moves the states it binds, and the impulse is told
// run solve
// run solve --method bdf
// expect q(5+) = 0
// expect h(8) = 0.5
// expect warning 'a constraint jumps, and q with it, from 0.1 to 0'
model EventConstraintJumpsDiscrete
  Real h(start = 1, fixed = true), q, p;
  discrete Real s(start = 0.1, fixed = true);
equation
  der(h) = -q;
  when h < 0.5 then
    s = 0;
  end when;
  q = s;
  der(q) = h - p;
  annotation(experiment(StopTime = 8));
end EventConstraintJumpsDiscrete;
