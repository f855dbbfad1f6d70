// rule: when in an algorithm; what is not assigned keeps its value; pre and assigned values mix
// expect n(0.25) = 0
// expect n(0.6) = 12
// expect n(0.9) = 24
// expect k(0.9) = 1
model AlgorithmWhen
  Integer n(start = 0, fixed = true), k(start = 0, fixed = true);
algorithm
  when {time >= 0.5, time >= 0.75} then
    n := pre(n) + 10;
    n := n + 2;
  end when;
  when time >= 0.8 then
    k := 1;
  elsewhen time >= 2 then
    k := 2;
  end when;
  annotation(experiment(StopTime = 1));
end AlgorithmWhen;
