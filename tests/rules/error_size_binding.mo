// rule: a value has the size of its declaration
// expect exit 3
// expect error 5
model ErrorSizeBinding
  Real x[3] = {1, 2};
  annotation(experiment(StopTime = 1));
end ErrorSizeBinding;
