// rule: sample(t0, dt) is true at t0, t0 + dt, ...; also at the start
// n counts 0, 0.25, 0.5, 0.75; m counts 0.1, 0.3, 0.5, 0.7, 0.9
// expect n(0) = 1
// expect events 7
// expect n(0.1) = 1
// expect n(0.3) = 2
// expect n(0.95) = 4
// expect m(0.05) = 0
// expect m(0.2) = 1
// expect m(0.95) = 5
model SampleCounter
  Integer n(start = 0, fixed = true), m(start = 0, fixed = true);
equation
  when sample(0, 0.25) then
    n = pre(n) + 1;
  end when;
  when sample(0.1, 0.2) then
    m = pre(m) + 1;
  end when;
  annotation(experiment(StopTime = 0.98));
end SampleCounter;
