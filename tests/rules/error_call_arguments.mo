// rule: a call has the arguments that the function takes
// expect exit 3
// expect error 11 'twice'
function twice
  input Real x;
  output Real y;
algorithm
  y := 2*x;
end twice;
model ErrorCallArguments
  Real y = twice(1, 2);
  annotation(experiment(StopTime = 1));
end ErrorCallArguments;
