// cause: no_solution
// culprits: M, D, total
// time: 0
// why: fed and drawn were exchanged, the total is -0.5; M + 2 M^2 = -0.5 has the discriminant 1 - 4 = -3 and no real root.
model DimerOfANegativeTotal "monomer and dimer in fast equilibrium"
  parameter Real fed = 0.2, drawn = 0.7, K = 1, k = 0.3;
  Real M(start = 0.3), D, total, product(start = 0, fixed = true);
equation
  total = fed - drawn;
  M + 2*D = total;
  D = K*M^2;
  der(product) = k*D;
  annotation(experiment(StopTime = 10));
end DimerOfANegativeTotal;
