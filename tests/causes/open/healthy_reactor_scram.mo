// cause: none
// expect: n(10) = 0.2341801579 +- 1e-4
// why: point kinetics with six groups of delayed neutrons, eigenvalues from -1.3e3 to -1e-2 1/s; a step of reactivity to 0.003, the rods
//     fall at t = 5 (-0.02): linear with constant coefficients in two parts, by the exponential of the matrix with 30 digits.
model HealthyReactorScram "stiff, with a step of the input"
  parameter Real beta[6] = {0.000215, 0.001424, 0.001274, 0.002568, 0.000748, 0.000273};
  parameter Real lam[6] = {0.0124, 0.0305, 0.111, 0.301, 1.14, 3.01};
  parameter Real Lam = 2e-5;
  Real rho, n(start = 1, fixed = true);
  Real C[6](start = {0.000215/(2e-5*0.0124), 0.001424/(2e-5*0.0305), 0.001274/(2e-5*0.111), 0.002568/(2e-5*0.301),
    0.000748/(2e-5*1.14), 0.000273/(2e-5*3.01)}, fixed = true);
equation
  rho = if time < 5 then 0.003 else -0.02;
  der(n) = (rho - sum(beta))/Lam*n + lam*C;
  for i in 1:6 loop
    der(C[i]) = beta[i]/Lam*n - lam[i]*C[i];
  end for;
  annotation(experiment(StopTime = 10));
end HealthyReactorScram;
