// rule: simultaneous nonlinear equations are solved together
// x + y = 3, x y = 2 near (2, 1)
// expect x(1) = 2
// expect y(1) = 1
model EquationSystem
  Real x(start = 2.5), y(start = 0.5);
equation
  x + y = 3;
  x*y = 2;
  annotation(experiment(StopTime = 1));
end EquationSystem;
