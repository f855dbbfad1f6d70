// rule: a final condition is any equation between expressions, by collocation and by shooting
// run solve --final p+0.1*(x-1)=0
// run solve --final p+0.1*(x-1)=0 --final-method shooting
// expect x(1) = 1.2824664 +- 1e-6
model FinalEquation
  Real x(start = 1, fixed = true), p, u;
equation
  der(x) = x + u;
  der(p) = -x - p;
  u + p = 0;
  annotation(experiment(StopTime = 1, Tolerance = 1e-8));
end FinalEquation;
