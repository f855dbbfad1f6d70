// cause: event_iteration
// culprits: a, b
// time: 1 +- 1e-6
// why: from t = 1 on one does the contrary of what the other did, who imitates: a, b run through a cycle of four and never settle.
model TwoDancersImitate
  Boolean a(start = false, fixed = true), b(start = false, fixed = true);
  Real steps(start = 0, fixed = true);
equation
  a = if time < 1 then false else not pre(b);
  b = if time < 1 then false else pre(a);
  der(steps) = if a then 1 else 2;
  annotation(experiment(StopTime = 3));
end TwoDancersImitate;
