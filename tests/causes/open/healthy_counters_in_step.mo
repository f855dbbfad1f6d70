// cause: none
// expect: n(10.05) = 100 +- 0; even(10.05) = 50 +- 0; fives(10.05) = 20 +- 0; x(10.05) = 50 +- 1e-4
// why: two clocks that tick together every second time, and a counter of multiples of five that is triggered by the first counter at the same
//     instant: 100, 50 and 20 by 10.05 s (the zero at the start is no event). x grows by 0.5 with each tick of the first.
model HealthyCountersInStep "several events at one instant, in a chain"
  Integer n(start = 0, fixed = true), even(start = 0, fixed = true), fives(start = 0, fixed = true);
  Real x(start = 0, fixed = true);
equation
  when sample(0.1, 0.1) then
    n = pre(n) + 1;
    reinit(x, pre(x) + 0.5);
  end when;
  when sample(0.2, 0.2) then
    even = pre(even) + 1;
  end when;
  when mod(n, 5) == 0 then
    fives = pre(fives) + 1;
  end when;
  der(x) = 0;
  annotation(experiment(StopTime = 10.05));
end HealthyCountersInStep;
