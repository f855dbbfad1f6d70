// rule: an initial algorithm assigns discrete variables and states at the start
// expect n(0.25) = 4
// expect n(0.75) = 5
// expect x(0) = 8
// expect x(1) = 9
model InitialAlgorithm
  Integer n;
  Real x;
initial algorithm
  n := 3;
  n := n + 1;
  x := 2*n;
equation
  der(x) = 1;
  when time >= 0.5 then
    n = pre(n) + 1;
  end when;
  annotation(experiment(StopTime = 1));
end InitialAlgorithm;
