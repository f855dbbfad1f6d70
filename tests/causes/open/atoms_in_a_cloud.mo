// cause: bad_scaling | domain_error
// culprits: n, rate
// time: 0
// why: n = 1e170 in the unit chosen, and n^2 = 1e340 overflows; the rate 1e-180 n^2 = 1e160 would be an ordinary
//     number.
model AtomsInACloud "recombination, with a density in absurd units"
  parameter Real k = 1e-180;
  Real n(start = 1e170, fixed = true), rate, loss, s(start = 0, fixed = true);
equation
  rate = k*n^2;
  loss = rate*1e-4;
  der(n) = -rate;
  der(s) = loss;
  annotation(experiment(StopTime = 1e8));
end AtomsInACloud;
