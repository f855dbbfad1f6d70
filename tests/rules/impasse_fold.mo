// rule: where a branch of an algebraic equation ends, the run ends, naming equation and unknown
// The fold of z^3 - z = x at x = 2/(3*sqrt(3)), t = 1.3849001795.
// expect exit 1
// expect error 'impasse at t = 1.38490'
// expect error 'there equation "z^3 - z = x" (line 10) does not determine z'
model ImpasseFold
  Real x(start = -1, fixed = true), z(start = -1.3);
equation
  der(x) = 1;
  z^3 - z = x;
  annotation(experiment(StopTime = 4));
end ImpasseFold;
