// cause: bounds
// culprits: h
// time: 2 +- 1e-2
// why: h = 1 - 0.5 t passes its declared minimum 0 at t = 2.
model LevelBelowMinimum "tank with a constant outflow"
  Real h(start = 1, min = 0, fixed = true), q, V, T(start = 300, fixed = true);
equation
  q = 0.5;
  der(h) = -q;
  V = 3*h;
  der(T) = 0.1*(290 - T);
  annotation(experiment(StopTime = 4));
end LevelBelowMinimum;
