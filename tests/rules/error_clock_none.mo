// rule: a clocked partition needs a clock
// run solve -t 1
// expect exit 3
// expect error 7 'no clock'
model ErrorClockNone
  Real u, y; equation
  u = sample(time);
  y = u + 1;
end ErrorClockNone;
