// rule: previous() needs clocked equations
// run solve -t 1
// expect exit 3
// expect error 7 'previous() stands in equations that have no clock'
model ErrorClockPrevious
  Real y; equation
  y = previous(y) + 1;
end ErrorClockPrevious;
