// rule: a relation and an equation that contradict each other end the run where this begins; the relation is
// named
// expect exit 1
// expect error 'slope > 0.5*x'
// expect end log(11/5)/0.6 
model ErrorEventContradiction "from x = 1/1.1 on neither branch fits"
  Real x(start = 0, fixed = true), slope;
equation
  der(x) = slope;
  slope = if slope > 0.5*x then 1 - 0.6*x else 2;
  annotation(experiment(StopTime = 3));
end ErrorEventContradiction;
