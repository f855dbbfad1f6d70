// rule: a function whose outputs have default values needs no algorithm
// expect y(2) = 5
// expect z(2) = 8
// expect w(2) = 6
function f
  input Real u;
  output Real a = u^2 + 1;
  output Real b = 4*u;
end f;
function g
  input Real u;
  output Real a = 3*u;
algorithm
end g;
model FunctionDefaultOutputs
  Real y, z, w;
equation
  (y, z) = f(time);
  w = g(time);
  annotation(experiment(StopTime = 2));
end FunctionDefaultOutputs;
