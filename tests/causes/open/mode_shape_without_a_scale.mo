// cause: undetermined_variable | redundant_equations
// culprits: X1, X2
// why: at the eigenvalue 1 of the two masses the matrix is [4 -2; -2 1], which is singular: X2 = 2 X1 solves both equations
//     with any X1. A scale of the mode was forgotten.
model ModeShapeWithoutAScale "first mode of two masses on springs"
  parameter Real k1 = 3, k2 = 2, m = 1, lambda = 1;
  Real X1(start = 1), X2(start = 1), q(start = 1, fixed = true), v(start = 0, fixed = true), tip;
equation
  (k1 + k2 - m*lambda)*X1 - k2*X2 = 0;
  -k2*X1 + (k2 - m*lambda)*X2 = 0;
  der(q) = v;
  der(v) = -lambda*q;
  tip = X2*q;
  annotation(experiment(StopTime = 5));
end ModeShapeWithoutAScale;
