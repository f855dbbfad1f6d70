// rule: sign() jumps at an event outside of noEvent()
// A block slides on a rough plane, v' = -sign(v), v(0) = 1: it stands still from t = 1 on.
// expect s(0.5) = 1
// expect v(0.5) = 0.5
// expect events 1
// expect end 0.9
model SignEvent
  Real v(start = 1, fixed = true), s, w(start = -0.5, fixed = true);
equation
  s = sign(v);
  der(v) = -s;
  der(w) = 1 + 0*sign(w);
  annotation(experiment(StopTime = 0.9));
end SignEvent;
