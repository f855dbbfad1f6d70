// rule: a relation that changes often in a long run is not chattering: all 10 000 rises of sin(t) are counted
// expect n(62830) = 10000
model LongRunEvents
  Real x(start = 0, fixed = true), v(start = 1, fixed = true);
  Integer n(start = 0, fixed = true);
equation
  der(x) = v;
  der(v) = -x - 0.5*v + 0.5*cos(time);
  when x > 0 then
    n = pre(n) + 1;
  end when;
  annotation(experiment(StopTime = 62830));
end LongRunEvents;
