// A mass between two potential wells is shaken and moves chaotically from one to the other.
// reference: x = -1.04146979936 at t = 20, tolerance 1e-3
// from: extrapolation method at 1e-13 (tests/golden/reference_values.py)
model Duffing "Duffing's oscillator: a particle in a double well"
  parameter Real delta = 0.2, force = 0.3, omega = 1.2;
  Real x(start = 0.5, fixed = true), v(start = 0, fixed = true);
equation
  der(x) = v;
  der(v) = x - x^3 - delta*v + force*cos(omega*time);
  annotation(experiment(StopTime = 100));
end Duffing;
