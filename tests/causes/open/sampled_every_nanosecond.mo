// cause: too_much_work
// run: --timeout 3
// why: 1e10 samples in 10 s.
model SampledEveryNanosecond
  Real x(start = 0, fixed = true), u(start = 0, fixed = true);
equation
  der(x) = u - x;
  when sample(0, 1e-9) then
    u = 1 - x;
  end when;
  annotation(experiment(StopTime = 10));
end SampledEveryNanosecond;
