// rule: noEvent(e): no event where a relation inside changes
// expect y(0.25) = 0
// expect y(1) = 0.5
// expect events 0
model NoEvent
  Real y = if noEvent(time < 0.5) then 0 else time - 0.5;
  Real z = noEvent(abs(time - 0.25)) + noEvent(max(time, 0.7));
  annotation(experiment(StopTime = 1));
end NoEvent;
