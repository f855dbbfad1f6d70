// rule: arrays of any size in functions, local arrays sized by inputs
// reversed cumulative sums of {1, 2, 3}: {6, 3, 1}
// expect y[1](1) = 6
// expect y[3](1) = 1
function f
  input Real u[:];
  output Real y[size(u, 1)];
protected
  Integer n = size(u, 1);
  Real c[n];
algorithm
  c[1] := u[1];
  for i in 2:n loop
    c[i] := c[i - 1] + u[i];
  end for;
  y := c[n:-1:1];
end f;
model FunctionArrays
  Real y[3] = f({1, 2, 3}*time);
  annotation(experiment(StopTime = 1));
end FunctionArrays;
