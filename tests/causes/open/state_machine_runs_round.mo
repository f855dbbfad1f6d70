// cause: event_iteration
// culprits: mode
// time: 0.6931472 +- 1e-3
// why: the transitions 1 -> 2 -> 3 -> 1 have the same guard h < 0.5, h = exp(-t), so at ln 2 they follow each other
//     without end.
model StateMachineRunsRound "fill, heat and drain; the guards were to be different"
  Real h(start = 1, fixed = true), q, T(start = 20, fixed = true);
  Integer mode(start = 1, fixed = true);
equation
  mode = if h < 0.5 then (if pre(mode) == 1 then 2 else if pre(mode) == 2 then 3 else 1) else pre(mode);
  q = if mode == 2 then 0.1 else 0;
  der(h) = -h;
  der(T) = if mode == 3 then 2 else -0.1*(T - 20);
  annotation(experiment(StopTime = 2));
end StateMachineRunsRound;
