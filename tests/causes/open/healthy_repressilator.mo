// cause: none
// expect: m[1](20) = 40.11531606 +- 0.02; P[1](20) = 46.20900704 +- 0.02; P[2](20) = 3.253262302 +- 0.005
// why: three genes that repress each other in a ring; by a Runge-Kutta method with steps of 5e-4 and 1e-3, which agree to 1e-8.
model HealthyRepressilator "oscillator of genes with steep switches"
  parameter Real alpha = 216, leak = 0.2, b = 5;
  Real m[3](start = {0, 0, 0}, fixed = true), P[3](start = {2, 1, 3}, fixed = true);
equation
  der(m[1]) = -m[1] + alpha/(1 + P[3]^2) + leak;
  der(m[2]) = -m[2] + alpha/(1 + P[1]^2) + leak;
  der(m[3]) = -m[3] + alpha/(1 + P[2]^2) + leak;
  for i in 1:3 loop
    der(P[i]) = -b*(P[i] - m[i]);
  end for;
  annotation(experiment(StopTime = 20));
end HealthyRepressilator;
