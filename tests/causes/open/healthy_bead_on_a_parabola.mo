// cause: none
// expect: x(10) = 1.981784863 +- 1e-3; u(10) = 0.379994728 +- 5e-3
// why: index 3, with the force of the wire; (1 + x^2) x'' + x x'^2 + g x = 0 with Dormand and Prince of order 8 at 1e-12.
model HealthyBeadOnAParabola "bead on the wire y = x^2/2"
  parameter Real g = 9.81;
  Real x(start = 2, fixed = true), y(start = 2), u(start = 0, fixed = true), v, N(start = 1);
equation
  der(x) = u;
  der(y) = v;
  der(u) = -N*x;
  der(v) = N - g;
  y = x^2/2;
  annotation(experiment(StopTime = 10, Tolerance = 1e-8));
end HealthyBeadOnAParabola;
