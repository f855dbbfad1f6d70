// rule: a run passes a point where branches cross, with a warning
// run solve --method bdf
// 1 - cos(z) = (t-1)^2/4, without cancellation: z = 0 is a double root at t = 1.
// expect warning 'the solution goes through a singular point, where equation "2*sin(z/2)^2 = (time - 1)^2/4" (line 10) does not determine z'
// expect z(2) = 0.7227342478134157 +- 1e-5
model BranchCrossing
  Real x(start = 0, fixed = true), z(start = -1);
equation
  der(x) = z;
  2*sin(z/2)^2 = (time - 1)^2/4;
  annotation(experiment(StopTime = 2));
end BranchCrossing;
