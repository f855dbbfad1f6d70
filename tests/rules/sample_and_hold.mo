// rule: a sampled value drives a continuous state (zero-order hold)
// u = 1 - x at ticks 0, 0.5, 1: x(0.5) = 0.5, then u = 0.5: x(1) = 0.75
// expect u(0.25) = 1
// expect x(0.5-) = 0.5
// expect u(0.75) = 0.5
// expect x(0.75) = 0.625
model SampleAndHold
  Real x(start = 0, fixed = true);
  discrete Real u(start = 0);
equation
  der(x) = u;
  when sample(0, 0.5) then
    u = 1 - x;
  end when;
  annotation(experiment(StopTime = 0.9));
end SampleAndHold;
