// rule: .+ .- .* ./ .^ work element by element, also with one scalar
// expect a[2](2) = 8
// expect b[1](2) = 2
// expect c[2](2) = 16
// expect d[2](2) = 4
// expect e[1](2) = -1
// expect f[2](2) = 4
model ElementwiseOperators
  Real x[2] = {1, 1 + time/2} "{1, 2} at the end";
  Real a[2] = {3, 4} .* x;
  Real b[2] = {2, 4} ./ x;
  Real c[2] = {3, 4} .^ x;
  Real d[2] = x .+ 2;
  Real e[2] = x .- 2;
  Real f[2] = 2 .^ x;
  annotation(experiment(StopTime = 2));
end ElementwiseOperators;
