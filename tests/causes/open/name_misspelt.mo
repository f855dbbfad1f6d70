// cause: text
// culprits: presure, pressure
// why: 'presure' is declared nowhere.
model NameMisspelt
  parameter Real k = 2;
  Real pressure(start = 1, fixed = true), q, work(start = 0, fixed = true);
equation
  q = k*presure;
  der(pressure) = -q;
  der(work) = q;
  annotation(experiment(StopTime = 1));
end NameMisspelt;
