// cause: text
// culprits: :=
// why: an equation is written with '=', not with ':='.
model AssignmentInEquation
  parameter Real g = 9.81, L = 0.4;
  Real phi(start = 0.3, fixed = true), w(start = 0, fixed = true), a;
equation
  der(phi) = w;
  a := -g/L*sin(phi);
  der(w) = a;
  annotation(experiment(StopTime = 2));
end AssignmentInEquation;
