// cause: none
// expect: x(1) = 1 +- 1e-4; y(1) = 1 +- 1e-4; z(1) = 0.6321205588 +- 1e-4
// why: x + y = 2 and x + (1 + 1e-8) y = 2 + 1e-8 have the solution 1, 1; the determinant is 1e-8, which costs eight
//     digits of sixteen.
model HealthyNearlySingular
  Real x, y, z(start = 0, fixed = true), s;
equation
  x + y = 2;
  x + 1.00000001*y = 2.00000001;
  der(z) = x - z;
  s = x - y;
  annotation(experiment(StopTime = 1));
end HealthyNearlySingular;
