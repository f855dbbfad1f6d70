// cause: text
// culprits: :=
// why: an equation is written with =, := is an assignment.
model ParabolaAssigned
  Real x(start = 0, fixed = true), y;
equation
  der(x) = 1;
  y := x^2;
  annotation(experiment(StopTime = 2));
end ParabolaAssigned;
