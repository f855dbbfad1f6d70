// rule: a delay time that can change needs a third argument
// expect exit 3
// expect error 6:21 'third argument'
model DelayWithoutBound
  Real x = time;
  Real y = delay(x, 1 + time);
end DelayWithoutBound;
