// cause: text
// culprits: else, u
// why: an expression with if needs an else.
model RampWithoutAnElse "heater that is switched on after a second"
  Real T(start = 20, fixed = true), u;
equation
  u = if time > 1 then 500;
  40*der(T) = u - 2*(T - 20);
  annotation(experiment(StopTime = 60));
end RampWithoutAnElse;
