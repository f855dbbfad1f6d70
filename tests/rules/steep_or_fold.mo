// rule: x^2 = 1 - t ends at t = 1, also beside a flow that reverses there
// expect exit 1
// expect error 'impasse at t = 1: there equation "x^2 = 1 - time"'
model SteepOrFold
  Real x(start = 1), q(start = 1), V(start = 0, fixed = true);
equation
  x^2 = 1 - time;
  q*abs(q) = 1.5 - 2*time;
  der(V) = q;
  annotation(experiment(StopTime = 3));
end SteepOrFold;
