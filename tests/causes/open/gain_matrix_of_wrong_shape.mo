// cause: text
// culprits: K, x
// why: K has three columns and x two elements: their product does not exist.
model GainMatrixOfWrongShape "state feedback"
  parameter Real K[1, 3] = [2, 3, 1];
  Real x[2](start = {1, 0}, fixed = true), u[1];
equation
  u = -K*x;
  der(x[1]) = x[2];
  der(x[2]) = u[1];
  annotation(experiment(StopTime = 5));
end GainMatrixOfWrongShape;
