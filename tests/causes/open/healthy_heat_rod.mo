// cause: none
// expect: 'T[20]'(0.1) = 0.3728969372 +- 1e-5
// why: 39 nodes with cold ends; the start is an eigenvector, sin(pi i/40), that decays with the rate 4*1600
//     sin(pi/80)^2.
model HealthyHeatRod "heat conduction, 39 equations"
  constant Real pi = 3.141592653589793;
  Real T[39](start = {sin(pi*i/40) for i in 1:39}, each fixed = true);
equation
  der(T[1]) = 1600*(T[2] - 2*T[1]);
  for i in 2:38 loop
    der(T[i]) = 1600*(T[i + 1] - 2*T[i] + T[i - 1]);
  end for;
  der(T[39]) = 1600*(T[38] - 2*T[39]);
  annotation(experiment(StopTime = 0.1));
end HealthyHeatRod;
