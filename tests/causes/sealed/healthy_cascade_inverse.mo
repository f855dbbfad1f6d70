// cause: none
// expect: q(3) = 1.671499736 +- 1e-4; h1(3) = 1.418100818 +- 1e-4; h2(3) = 1.742914543 +- 1e-4
// why: the level of the third tank is prescribed, the inflow of the first is sought: index 4, nonlinear. Computed by
//     power series, and checked by integrating the tanks with this inflow.
model HealthyCascadeInverse "which inflow gives the wanted level three tanks later?"
  Real h1(start = 2.6), h2(start = 2.3), h3, q, q1, q2, q3;
equation
  h3 = 2 + 0.1*sin(time);
  q1 = sqrt(h1);
  q2 = sqrt(h2);
  q3 = sqrt(h3);
  der(h1) = q - q1;
  der(h2) = q1 - q2;
  der(h3) = q2 - q3;
  annotation(experiment(StopTime = 3));
end HealthyCascadeInverse;
