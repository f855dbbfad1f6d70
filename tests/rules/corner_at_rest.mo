// rule: corners in quantities at rest, whose signs are those of rounding errors, do not cut steps
// Water at rest in a pipe: flows of 1e-40 change their signs; radau took 10 000 steps in a thousandth of the run.
// run solve --method radau
// run solve --method rodas
// expect q[10](0.5) = 0.013262659 +- 1e-6
model CornerAtRest
  parameter Integer n = 10;
  Real p[n](each start = 5e5, each fixed = true), q[n + 1](each start = 0);
equation
  5e5 - p[1] = 2e5*der(q[1]) + 1e7*q[1]*abs(q[1]);
  for j in 2:n loop
    p[j - 1] - p[j] = 2e5*der(q[j]) + 1e7*q[j]*abs(q[j]);
  end for;
  q[n + 1] = 2e-5*sqrt(max(p[n], 0));
  for j in 1:n loop
    5e-8*der(p[j]) = q[j] - q[j + 1];
  end for;
  annotation(experiment(StopTime = 0.5));
end CornerAtRest;
