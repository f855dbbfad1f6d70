// rule: a range that is not written and not clear is an error
// expect exit 3
// expect error 8 'not clear'
// expect error 10 'range of 'j' is missing'
model ErrorForWithoutRange
  Real x[3], y[2], z;
equation
  for i loop x[i] = y[i]; end for;
  y = {1, 2};
  for j loop z = j; end for;
  annotation(experiment(StopTime = 1));
end ErrorForWithoutRange;
