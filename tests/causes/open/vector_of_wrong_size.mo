// cause: text
// culprits: x, A
// why: a 2 x 2 matrix times a vector of 3.
model VectorOfWrongSize
  parameter Real A[2, 2] = [-1, 0.5; 0.2, -2];
  Real x[3](each start = 1, each fixed = true);
equation
  der(x) = A*x;
  annotation(experiment(StopTime = 1));
end VectorOfWrongSize;
