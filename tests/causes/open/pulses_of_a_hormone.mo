// cause: bad_scaling
// culprits: x, y, z
// why: concentrations in mol/l of 1e-12 to 1.6e-11, at most a sixtieth of the absolute tolerance of 1e-9: the error test passes
//     whatever happens. No nominal values are declared. Time scales are ordinary.
model PulsesOfAHormone "Goodwin's loop of hypothalamus, pituitary and gonad, per hour"
  parameter Real k = 8e-12, K = 1e-12, d = 0.8;
  Real x(start = 1e-12, fixed = true), y(start = 2e-12, fixed = true), z(start = 5e-13, fixed = true);
equation
  der(x) = k/(1 + (z/K)^10) - d*x;
  der(y) = x - d*y;
  der(z) = y - d*z;
  annotation(experiment(StopTime = 40));
end PulsesOfAHormone;
