// rule: an event of time >= c happens at c, to the last digits
// expect a(1) = 0.3 +- 2e-16
// expect b(1) = 0.7 +- 2e-16
model TimeEventExact
  parameter Real t1 = 0.3;
  discrete Real a, b;
  Real x(start = 0, fixed = true);
equation
  der(x) = 1;
  when time >= t1 then
    a = time;
  end when;
  when time >= 0.7 then
    b = time;
  end when;
  annotation(experiment(StopTime = 1));
end TimeEventExact;
