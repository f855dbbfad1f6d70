// rule: a fixed value that contradicts others is named as the model states it, also where the variable is
// a multiple of another
// expect exit 5
// expect error 'y fixed at 6'
// expect error 'z fixed at 1'
model ErrorFixedMultiple
  Real x, y(start = 6, fixed = true), z(start = 1, fixed = true);
equation
  der(x) = -x;
  y = 2 * x;
  z + x * x = 5;
  annotation(experiment(StopTime = 1));
end ErrorFixedMultiple;
