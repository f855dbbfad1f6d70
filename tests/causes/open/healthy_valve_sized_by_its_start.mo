// cause: none
// expect: h(30) = 3.652219894 +- 5e-4; out(30) = 0.4681166453 +- 1e-4
// why: the coefficient of the valve is found at the start so that the level 1.5 is steady: 0.3/sqrt(1.5); at t = 5 the inflow
//     rises to 0.5. Runge-Kutta from there.
model HealthyValveSizedByItsStart "parameter from an initial equation"
  parameter Real Kv(fixed = false, start = 1);
  Real h(start = 1.5, fixed = true), q, out;
initial equation
  der(h) = 0;
equation
  q = if time < 5 then 0.3 else 0.5;
  out = Kv*sqrt(h);
  der(h) = q - out;
  annotation(experiment(StopTime = 30));
end HealthyValveSizedByItsStart;
