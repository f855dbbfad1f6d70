// cause: none
// expect: vd(0.75) = 0.952101897 +- 1e-5; vd(1.5) = -100 +- 1e-3; Q(1.5) = 49.52394905 +- 1e-3
// why: 100 - vd = 1e-14 (exp(vd/0.02585) - 1) has one solution, found by bisection; a Newton iteration from vd = 0
//     would begin with exp(3868).
model HealthyDiodeOn100Volts "the source jumps by 100 V and then by 200 V; no homotopy, no limiting by the modeller"
  parameter Real R = 1, Is = 1e-14, Vt = 0.02585;
  Real E, vd(start = 0), i, Q(start = 0, fixed = true);
equation
  E = if time < 0.5 then 0 elseif time < 1 then 100 else -100;
  E - vd = R*i;
  i = Is*(exp(vd/Vt) - 1);
  der(Q) = i;
  annotation(experiment(StopTime = 1.5));
end HealthyDiodeOn100Volts;
