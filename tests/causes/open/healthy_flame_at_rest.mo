// cause: none
// expect: T(0.1) = 2200 +- 0.1
// why: the rate of the burnt gas is the difference of heat released and lost, 1e9 each, which cancel at 2200 K.
model HealthyFlameAtRest "ignition within a microsecond, then the balance of two large rates"
  Real T(start = 1200, fixed = true), released, lost, excess, fuel(start = 1, fixed = true);
equation
  released = 1e6*(T - 300)*(1 - ((T - 300)/1900)^3) + 1e6*(T - 300);
  lost = 1e6*(T - 300);
  excess = released - lost;
  der(T) = excess;
  der(fuel) = -fuel;
  annotation(experiment(StopTime = 0.1));
end HealthyFlameAtRest;
