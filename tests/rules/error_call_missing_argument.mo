// rule: an argument without a default must be given
// expect exit 3
// expect error 11
function sumOf
  input Real first, second;
  output Real y;
algorithm
  y := first + second;
end sumOf;
model ErrorCallMissingArgument
  Real y = sumOf(1);
  annotation(experiment(StopTime = 1));
end ErrorCallMissingArgument;
