// cause: event_accumulation
// culprits: next, count
// time: 2 +- 1e-2
// why: each call comes after half the time of the one before: 1, 1/2, 1/4, ... add up to 2.
model EchoInAClosingValley
  discrete Real next(start = 1, fixed = true), wait(start = 1, fixed = true);
  Integer count(start = 0, fixed = true);
  Real heard(start = 0, fixed = true);
equation
  der(heard) = -heard + count;
  when time >= pre(next) then
    wait = pre(wait)/2;
    next = pre(next) + wait;
    count = pre(count) + 1;
  end when;
  annotation(experiment(StopTime = 4));
end EchoInAClosingValley;
