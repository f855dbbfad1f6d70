// cause: domain_error
// culprits: theta, range
// time: 23.394495 +- 2e-2
// why: the elevation is asin(g R/v^2)/2; the target moves away and leaves the largest range v^2/g = 1467.9 at t = 23.39, where
//     the argument exceeds 1. The angle itself is finite (45 degrees).
model TargetBeyondTheRange "elevation for a moving target"
  parameter Real g = 9.81, v = 120;
  Real range(start = 1000, fixed = true, nominal = 1000), theta;
equation
  der(range) = 20;
  theta = 0.5*asin(g*range/v^2);
  annotation(experiment(StopTime = 40));
end TargetBeyondTheRange;
