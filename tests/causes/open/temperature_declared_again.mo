// cause: text
// culprits: T
// why: T is declared as a parameter (the period) and as a variable (the temperature).
model TemperatureDeclaredAgain "oven with a periodic load"
  parameter Real T = 60, C = 10;
  Real T(start = 200, fixed = true), load;
equation
  load = 5*sin(6.283185307179586*time/60);
  C*der(T) = 20 - load - 0.1*(T - 20);
  annotation(experiment(StopTime = 300));
end TemperatureDeclaredAgain;
