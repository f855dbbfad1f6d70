// cause: inconsistent_start | no_solution
// culprits: x, y, L
// time: 0
// why: x = 2 is fixed and the rope has the length 1, so y^2 = -3; another x would do.
model RopeTooShort
  parameter Real L = 1, g = 9.81;
  Real x(start = 2, fixed = true), y(start = -0.5), vx(start = 0, fixed = true), vy, S;
equation
  der(x) = vx;
  der(y) = vy;
  der(vx) = -S*x;
  der(vy) = -S*y - g;
  x^2 + y^2 = L^2;
  annotation(experiment(StopTime = 1));
end RopeTooShort;
