// cause: no_solution
// culprits: x, y
// time: 0
// why: x + y = 1 and x*y = 0.5 would need x = (1 +- sqrt(-1))/2.
model BufferEquilibrium "two species with a given total and a given product"
  parameter Real total = 1, K = 0.5, k = 0.2;
  Real x(start = 0.5), y(start = 0.5), s(start = 0, fixed = true), ratio;
equation
  x + y = total;
  x*y = K;
  ratio = x/y;
  der(s) = k*(x - s);
  annotation(experiment(StopTime = 10));
end BufferEquilibrium;
