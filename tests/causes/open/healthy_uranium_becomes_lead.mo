// cause: none
// expect: U238(1e9) = 0.856298802525 +- 1e-5; Pb(1e9) = 0.143653837791 +- 1e-5; Rn222(1e9) = 2.00635168588e-12 +- 1e-16
// why: half-lives from 4.5e9 years to 3.8 days in one chain; eigenvalues with 60 digits.
model HealthyUraniumBecomesLead "decay of uranium over a thousand million years, time in years"
  parameter Real l1 = log(2)/4.468e9, l2 = log(2)/2.455e5, l3 = log(2)/1600, l4 = log(2)*365.25/3.8235;
  Real U238(start = 1, fixed = true), U234(start = 0, fixed = true, nominal = 5e-5), Ra226(start = 0, fixed = true, nominal = 3e-7);
  Real Rn222(start = 0, fixed = true, nominal = 2e-12), Pb(start = 0, fixed = true, nominal = 0.1);
equation
  der(U238) = -l1*U238;
  der(U234) = l1*U238 - l2*U234;
  der(Ra226) = l2*U234 - l3*Ra226;
  der(Rn222) = l3*Ra226 - l4*Rn222;
  der(Pb) = l4*Rn222;
  annotation(experiment(StopTime = 1e9));
end HealthyUraniumBecomesLead;
