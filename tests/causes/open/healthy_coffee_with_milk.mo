// cause: none
// expect: T(10) = 51.62931459 +- 1e-3
// why: 20 + 70 exp(-0.05 5) = 74.5160548 before the milk at t = 5, 0.8 of it and 0.2 of 5 degrees after it, then the same law.
model HealthyCoffeeWithMilk
  Real T(start = 90, fixed = true);
equation
  der(T) = -0.05*(T - 20);
  when time >= 5 then
    reinit(T, 0.8*pre(T) + 0.2*5);
  end when;
  annotation(experiment(StopTime = 10));
end HealthyCoffeeWithMilk;
