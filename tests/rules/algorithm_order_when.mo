// rule: a later when of an algorithm overrides an earlier one at the same event
// expect n(0.75) = 2
model AlgorithmOrderWhen
  Integer n(start = 0, fixed = true);
algorithm
  when time >= 0.5 then
    n := 1;
  end when;
  when 2*time >= 1 then
    n := 2;
  end when;
  annotation(experiment(StopTime = 1));
end AlgorithmOrderWhen;
