// cause: none
// expect: prey(20) = 10.21411066 +- 1e-3; pred(20) = 1.333808311 +- 1e-3
// why: RK4 in Python with 200000 steps; the invariant agrees to ten digits.
model HealthyPredators "populations that come close to zero and recover"
  Real prey(start = 10, fixed = true, min = 0), pred(start = 5, fixed = true, min = 0), meet;
equation
  meet = prey*pred;
  der(prey) = 1.1*prey - 0.4*meet;
  der(pred) = 0.1*meet - 0.4*pred;
  annotation(experiment(StopTime = 20, Tolerance = 1e-8));
end HealthyPredators;
