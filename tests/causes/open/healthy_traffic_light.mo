// cause: none
// expect: passed(99.5) = 22.4 +- 1e-3; greens(99.5) = 4 +- 0.1
// why: green 10 s, yellow 3 s, red 12 s: a period of 25 s; cars leave at 0.5 per second on green, 0.2 on yellow.
model HealthyTrafficLight
  Integer light(start = 1, fixed = true), greens(start = 1, fixed = true);
  discrete Real since(start = 0, fixed = true);
  Real passed(start = 0, fixed = true);
equation
  when time - pre(since) >= (if pre(light) == 1 then 10 else if pre(light) == 2 then 3 else 12) then
    light = if pre(light) == 3 then 1 else pre(light) + 1;
    since = time;
    greens = if pre(light) == 3 then pre(greens) + 1 else pre(greens);
  end when;
  der(passed) = if light == 1 then 0.5 else if light == 2 then 0.2 else 0;
  annotation(experiment(StopTime = 99.5));
end HealthyTrafficLight;
