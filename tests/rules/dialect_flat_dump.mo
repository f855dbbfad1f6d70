// rule: dotted and subscripted declared names, dotted class names (OpenModelica's flat dump)
// expect a.b[2].c(2) = 3
// expect a.b[1].c(2) = 6
// expect a.s(2) = 9
function P.f
  input Real u;
  output Real v;
algorithm
  v := 2.0 * u;
end P.f;
class P.M
  parameter Real a.p = 1.0;
  Real a.b[1].c;
  Real a.b[2].c(start = 1.0, fixed = true);
  Real a.s = a.b[1].c + a.b[2].c;
equation
  der(a.b[2].c) = a.p;
  a.b[1].c = P.f(a.b[2].c);
  annotation(experiment(StopTime = 2));
end P.M;
