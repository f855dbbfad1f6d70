// rule: a contradiction names no fixed value of other equations, even one in which they are flat
// z^2 + q^3 + q = 2 is flat in z at z = 0, and q = 1 satisfies it: z has no part in the contradiction.
// expect exit 5
// expect error 'no consistent start at t = 0: equation "x^2 + y^2 = 1" (line 9), x fixed at 1 and y fixed at 2 contradict each other'
model ConflictWithoutFlatValues
  Real x(start = 1, fixed = true), y(start = 2, fixed = true), z(start = 0, fixed = true), q(start = 0.9);
equation
  der(x) = -x;
  x^2 + y^2 = 1;
  der(z) = q;
  z^2 + q^3 + q = 2;
  annotation(experiment(StopTime = 1));
end ConflictWithoutFlatValues;
