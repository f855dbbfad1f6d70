// cause: event_iteration
// culprits: n
// time: 0.5 +- 1e-6
// why: n = pre(n) + 1 holds at every pass of the event iteration from t = 0.5 on, so it never settles; a when is
//     missing.
model CounterWithoutWhen "counts parts on a conveyor"
  Real x(start = 0, fixed = true), speed, load;
  Integer n(start = 0, fixed = true);
equation
  speed = 2;
  der(x) = speed;
  n = if x > 1 then pre(n) + 1 else pre(n);
  load = 0.3*n;
  annotation(experiment(StopTime = 2));
end CounterWithoutWhen;
