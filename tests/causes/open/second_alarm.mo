// cause: assertion
// culprits: n, alarm
// time: 3 +- 1e-2
// why: x = t/4 is read at t = 1, 2, 3, ...; it exceeds 0.4 for the first time at t = 2 and for the second time at t =
//     3, which the assertion forbids.
model SecondAlarm "an assertion inside a when"
  Real x(start = 0, fixed = true), y;
  Integer n(start = 0, fixed = true);
equation
  der(x) = 0.25;
  y = 2*x;
  when sample(1, 1) then
    n = pre(n) + (if x > 0.4 then 1 else 0);
    assert(n < 2, "alarm: limit exceeded twice");
  end when;
  annotation(experiment(StopTime = 5));
end SecondAlarm;
