// cause: none
// expect: h(15) = 0 +- 1e-5; out(15) = 1 +- 1e-4
// why: h = (1 - 0.1 t)^2 until it is empty at t = 10, and 0 afterwards: the root is guarded.
model HealthyTankIsEmpty "Torricelli's law beyond the end, guarded"
  parameter Real k = 0.2;
  Real h(start = 1, fixed = true), q, out(start = 0, fixed = true);
equation
  q = k*noEvent(if h > 0 then sqrt(h) else 0);
  der(h) = -q;
  der(out) = q;
  annotation(experiment(StopTime = 15));
end HealthyTankIsEmpty;
