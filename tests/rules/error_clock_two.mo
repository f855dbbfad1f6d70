// rule: a variable cannot belong to two clocks, and the message names both
// run solve -t 1
// expect exit 3
// expect error 9 'belongs to two clocks: every 0.5 s from 0 s on, and every 0.2 s from 0 s on'
model ErrorClockTwo
  Real u, v, y;
equation
  u = sample(time, Clock(0.5));
  v = sample(time, Clock(0.2));
  y = u + v;
end ErrorClockTwo;
