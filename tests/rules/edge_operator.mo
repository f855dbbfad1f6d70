// rule: edge(b) = b and not pre(b): true once, at the rise
// b is true from 0.25 to 0.5 and from 0.75 on
// expect k(0.2) = 0
// expect k(0.6) = 1
// expect k(1) = 2
// expect n(0.6) = 1
model EdgeOperator
  Boolean b = time >= 0.25 and time < 0.5 or time >= 0.75;
  Integer k(start = 0, fixed = true), n(start = 0, fixed = true);
equation
  k = if edge(b) then pre(k) + 1 else pre(k);
  when edge(b) then
    n = pre(n) + 1;
  end when;
  annotation(experiment(StopTime = 1));
end EdgeOperator;
