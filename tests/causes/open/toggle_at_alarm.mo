// cause: event_iteration
// culprits: lamp
// time: 1.3862944 +- 1e-3
// why: once T < 50, lamp = not pre(lamp) has no fixed point; T = 20 + 60 exp(-t/2) falls below 50 at t = 2 ln 2.
model ToggleAtAlarm "a lamp should blink when it is too cold"
  Real T(start = 80, fixed = true), P, Q;
  Boolean lamp(start = false, fixed = true), cold;
equation
  Q = 0.5*(T - 20);
  der(T) = -Q;
  cold = T < 50;
  lamp = if cold then not pre(lamp) else false;
  P = if lamp then 40 else 0;
  annotation(experiment(StopTime = 4));
end ToggleAtAlarm;
