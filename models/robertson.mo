// Three chemicals, rate constants nine decades apart: the classic of stiff problems, here with
// the conservation of mass in place of the third rate equation.  Shows an algebraic equation and
// `nominal`, the typical size of y2.
// reference: y1 = 0.004938274520979816 at t = 400000, tolerance 1e-4
// from: Test Set for IVP Solvers, recomputed with 20 digits
model Robertson "Robertson's chemical kinetics: stiff, with a conservation law"
  parameter Real k1 = 0.04, k2 = 3e7, k3 = 1e4;
  Real y1(start = 1, fixed = true);
  Real y2(start = 0, fixed = true, nominal = 1e-5);
  Real y3(start = 0);
equation
  der(y1) = -k1*y1 + k3*y2*y3;
  der(y2) = k1*y1 - k3*y2*y3 - k2*y2^2;
  y1 + y2 + y3 = 1;
  annotation(experiment(StopTime = 4e5));
end Robertson;
