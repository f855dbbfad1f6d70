// rule: when {a, b} fires where any element becomes true, also while another one is true
// expect n(0.1) = 0
// expect n(0.3) = 1
// expect n(0.6) = 2
model WhenVector
  Integer n(start = 0, fixed = true);
equation
  when {time >= 0.25, time >= 0.5} then
    n = pre(n) + 1;
  end when;
  annotation(experiment(StopTime = 1));
end WhenVector;
