// cause: none
// expect: c[1](2) = 2 +- 1e-5; c[3](2) = 6 +- 1e-5; c[6](2) = 12 +- 1e-5; s(2) = 42 +- 1e-4
// why: six normal equations with the Hilbert matrix 1/(i + j - 1), of condition 1.5e7, and a right-hand side for which c[i] = i t is the
//     solution; s' = c[1] + ... + c[6] = 21 t, s(2) = 42.
model HealthyMomentsOfACurve "least-squares polynomial, badly conditioned but solvable"
  Real c[6], b[6], s(start = 0, fixed = true);
equation
  for i in 1:6 loop
    c[1]/i + c[2]/(i + 1) + c[3]/(i + 2) + c[4]/(i + 3) + c[5]/(i + 4) + c[6]/(i + 5) = b[i];
    b[i] = time*(1/i + 2/(i + 1) + 3/(i + 2) + 4/(i + 3) + 5/(i + 4) + 6/(i + 5));
  end for;
  der(s) = sum(c);
  annotation(experiment(StopTime = 2));
end HealthyMomentsOfACurve;
