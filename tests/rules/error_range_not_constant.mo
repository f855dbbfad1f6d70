// rule: the range of a for-equation is constant
// expect exit 3
// expect error 8
model ErrorRangeNotConstant
  Integer n = integer(time) + 1;
  Real x[3];
equation
  for i in 1:n loop
    x[i] = i;
  end for;
  annotation(experiment(StopTime = 1));
end ErrorRangeNotConstant;
