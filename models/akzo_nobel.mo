// Six species, two of them react while CO2 flows in; the last is in equilibrium with the others:
// an algebraic equation.  y6 is guessed and made consistent at the start.
// reference: y1 = 0.11507949206617021 at t = 180, tolerance 1e-5
// from: Test Set for IVP Solvers, recomputed with 20 digits
model AkzoNobel "Akzo Nobel: a chemical process with an equilibrium, index 1"
  parameter Real k1 = 18.7, k2 = 0.58, k3 = 0.09, k4 = 0.42;
  parameter Real K = 34.4, klA = 3.3, pCO2 = 0.9, H = 737, Ks = 115.83;
  Real y1(start = 0.444, fixed = true), y2(start = 0.00123, fixed = true, nominal = 1e-3);
  Real y3(start = 0, fixed = true), y4(start = 0.007, fixed = true, nominal = 1e-3);
  Real y5(start = 0, fixed = true), y6(start = 0.36);
  Real r1, r2, r3, r4, r5 "rates";
  Real Fin "inflow of CO2";
equation
  r1 = k1*y1^4*sqrt(y2);
  r2 = k2*y3*y4;
  r3 = k2/K*y1*y5;
  r4 = k3*y1*y4^2;
  r5 = k4*y6^2*sqrt(y2);
  Fin = klA*(pCO2/H - y2);
  der(y1) = -2*r1 + r2 - r3 - r4;
  der(y2) = -0.5*r1 - r4 - 0.5*r5 + Fin;
  der(y3) = r1 - r2 + r3;
  der(y4) = -r2 + r3 - 2*r4;
  der(y5) = r2 - r3 + r5;
  y6 = Ks*y1*y4;
  annotation(experiment(StopTime = 180));
end AkzoNobel;
