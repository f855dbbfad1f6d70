// cause: tolerance_too_small
// why: the annotation demands 1e-18 relative to values of the size 1, and doubles have 2.2e-16.
model ToleranceInTheAnnotation "the finest tolerance that could be typed"
  parameter Real k1 = 0.7, k2 = 0.2;
  Real a(start = 2, fixed = true), b(start = 1, fixed = true), c(start = 1, fixed = true), r1, r2;
equation
  r1 = k1*a*b;
  r2 = k2*c^2;
  der(a) = -r1 + r2;
  der(b) = -r1 + r2;
  der(c) = 2*r1 - 2*r2;
  annotation(experiment(StopTime = 5, Tolerance = 1e-18));
end ToleranceInTheAnnotation;
