// rule: steps end at corners of abs, min and max, also of unknowns that are no states
// run solve --method radau
// run solve --method rodas
// run solve --method limex
// Integrated to 1e-12 by another program.
// expect x(3) = 0.150711698 +- 2e-5
// expect v(3) = -1.205936456 +- 1e-4
// expect y(3) = -2.215775938 +- 2e-5
// expect w(3) = -5.162938686 +- 1e-4
model CornersInsideSteps
  Real x(start = 0, fixed = true), v(start = 3, fixed = true) "between two springs with play";
  Real y(start = 1, fixed = true), w(start = 0, fixed = true) "on springs that push with other constants";
  Real z;
equation
  der(x) = v;
  der(v) = -800*max(x - 0.1, 0) - 600*min(x + 0.3, 0) - 0.2*v;
  z + 0.3*z^3 = y;
  der(y) = w;
  der(w) = -50*max(z, 0) - 5*min(z, 0);
  annotation(experiment(StopTime = 3, Tolerance = 1e-6));
end CornersInsideSteps;
