// cause: none
// expect: y(2) = 1000000 +- 1
// why: der(y) = y^2 (1 - 1e-6 y): like y^2 it seems to explode at t = 1, but it stops at 1e6, which is stable with
//     the rate 1e6.
model HealthyIgnition "nearly a blow-up: growth by a factor 1e6 at t = 1, then a plateau"
  Real y(start = 1, fixed = true), r, T(start = 0, fixed = true), load;
equation
  load = 1 - 1e-6*y;
  r = y^2*load;
  der(y) = r;
  der(T) = 1 - T;
  annotation(experiment(StopTime = 2));
end HealthyIgnition;
