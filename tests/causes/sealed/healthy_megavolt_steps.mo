// cause: none
// expect: y(1.52) = 1000000 +- 10; y(4) = 5 +- 1e-2
// why: y follows u with a time constant of 10 ms; 1 s after the last jump, from -1e6 to 5, the rest is 1e6 exp(-100).
model HealthyMegavoltSteps "an input that jumps by 1e6, where the tolerance is 1e-9"
  Real u, y(start = 1, fixed = true), e;
equation
  u = if time < 1 then 0 elseif time < 2 then 1e6 elseif time < 3 then -1e6 else 5;
  e = u - y;
  der(y) = 100*e;
  annotation(experiment(StopTime = 4));
end HealthyMegavoltSteps;
