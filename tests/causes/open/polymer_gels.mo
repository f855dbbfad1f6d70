// cause: blow_up
// culprits: M2, M3
// time: 4 +- 4e-2
// why: moments of the sizes with the multiplicative kernel: M2' = k M2^2 gives 1/(1 - k t), infinite at the gel point t = 4; M3
//     = M2^3.
model PolymerGels "moments of Smoluchowski's equation"
  parameter Real k = 0.25;
  Real M0(start = 1, fixed = true), M1(start = 1, fixed = true), M2(start = 1, fixed = true), M3(start = 1, fixed = true);
equation
  der(M0) = -k/2*M1^2;
  der(M1) = 0;
  der(M2) = k*M2^2;
  der(M3) = 3*k*M2*M3;
  annotation(experiment(StopTime = 7));
end PolymerGels;
