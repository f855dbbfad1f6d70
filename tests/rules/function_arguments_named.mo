// rule: default and named arguments; a default may use another input
// expect a(1) = 6
// expect b(1) = 12
// expect c(1) = 11
function affine
  input Real x;
  input Real k = 2;
  input Real c = 2*k;
  output Real y;
algorithm
  y := k*x + c;
end affine;
model FunctionArgumentsNamed
  Real a = affine(time);
  Real b = affine(time, c = 10);
  Real c = affine(k = 1, c = 10, x = time);
  annotation(experiment(StopTime = 1));
end FunctionArgumentsNamed;
