// cause: none
// expect: x(5) = 0.1368838984 +- 2e-4; y(5) = -0.5841770266 +- 2e-4; S(5) = 12.2625 +- 1e-2
// why: a mass on a rod of length 1 goes round on a circle of radius 0.6 and depth 0.8: w = sqrt(g/0.8), S = g/0.8. All positions and two
//     velocities are given and agree with the constraint.
model HealthyConicalPendulum "index 3 in space"
  parameter Real g = 9.81;
  Real x(start = 0.6, fixed = true), y(start = 0, fixed = true), z(start = -0.8);
  Real u(start = 0, fixed = true), v(start = 2.1010711553871753, fixed = true), w(start = 0), S(start = 10);
equation
  der(x) = u;
  der(y) = v;
  der(z) = w;
  der(u) = -S*x;
  der(v) = -S*y;
  der(w) = -S*z - g;
  x^2 + y^2 + z^2 = 1;
  annotation(experiment(StopTime = 5));
end HealthyConicalPendulum;
