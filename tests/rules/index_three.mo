// rule: a system of index 3 as physics gives it runs, and every constraint is held
// expect length(0.5) = 1 +- 1e-9
// expect length(1) = 1 +- 1e-9
// expect across(0.5) = 0 +- 1e-9
// expect across(1) = 0 +- 1e-9
// expect energy(1) = 0 +- 1e-4
model IndexThree
  Real x(start = 1), y(start = 0, fixed = true), u, v(start = 0, fixed = true), F;
  Real length = x^2 + y^2, across = x*u + y*v, energy = (u^2 + v^2)/2 + 9.81*y;
equation
  der(x) = u;
  der(y) = v;
  der(u) = -F*x;
  der(v) = -F*y - 9.81;
  x^2 + y^2 = 1;
  annotation(experiment(StopTime = 1));
end IndexThree;
