// cause: none
// expect: h(150) = 1.60941550 +- 1e-4; z(150) = 0.63598257 +- 1e-4; h(60) = 1.03594461 +- 1e-4
// run: -n 150
// why: the valve is saturated at first and after the step of the set point at 60 s; back-calculation keeps the integral small.
//     Dormand and Prince of order 8 with steps of 0.02.
model HealthyLevelWithAntiWindup "PI controller of a level, the valve between 0 and 1"
  Real h(start = 0.2, fixed = true), z(start = 0, fixed = true), e, u0, u;
equation
  e = (if time < 60 then 1.0 else 1.6) - h;
  u0 = 2*e + z;
  u = min(max(u0, 0), 1);
  der(h) = 0.04*u - 0.02*sqrt(h);
  der(z) = 0.1*e + 0.5*(u - u0);
  annotation(experiment(StopTime = 150));
end HealthyLevelWithAntiWindup;
