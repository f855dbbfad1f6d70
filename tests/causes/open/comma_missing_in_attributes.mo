// cause: text
// culprits: fixed, start
// why: between 'start = 90' and 'fixed = true' a comma is missing.
model CommaMissingInAttributes "cup of coffee"
  parameter Real k = 0.05, Tamb = 20;
  Real T(start = 90 fixed = true), loss;
equation
  loss = k*(T - Tamb);
  der(T) = -loss;
  annotation(experiment(StopTime = 60));
end CommaMissingInAttributes;
