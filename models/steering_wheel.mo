// A point moves on a circle; the position z of a steering wheel keeps its velocity tangent.  The
// constraint and its derivative determine y and z, index 2.  At t = 0.37249 the wheel cannot steer
// any longer, and the solution ends: an impasse.
// reference: z = -0.7240978979 at t = 0.3, tolerance 1e-5
// from: extrapolation method at 1e-13 (tests/golden/reference_values.py)
model SteeringWheel "a steering wheel that keeps a point on a circle, index 2"
  Real y1(start = 1), y2(start = 0, fixed = true), z(start = 0) "steering wheel";
equation
  der(y1) = 0.7*y2 + sin(2.5*z);
  der(y2) = 1.4*y1 + cos(2.5*z);
  y1^2 + y2^2 = 1;
  annotation(experiment(StopTime = 0.37));
end SteeringWheel;
