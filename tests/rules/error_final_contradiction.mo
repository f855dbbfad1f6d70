// rule: final conditions that contradict each other are named, by shooting too
// run solve --final x=1 --final 2*x=3 --final-method shooting
// expect exit not 0
// expect error 'boundary conditions depend on each other'
// expect error '2*x=3 cannot hold, so that there is no solution'
model ErrorFinalContradiction
  Real x, v;
equation
  der(x) = v;
  der(v) = -x;
  annotation(experiment(StopTime = 1));
end ErrorFinalContradiction;
