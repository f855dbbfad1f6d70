// cause: inconsistent_start
// culprits: S, I, R, N
// time: 0
// why: all three compartments are fixed, 990 + 20 + 0 = 1010, and an initial equation demands that they add up to
//     N = 1000.
model EpidemicCensus "SIR model of a town, the start values were typed from two sources"
  parameter Real N = 1000, beta = 0.4, gamma = 0.1;
  Real S(start = 990, fixed = true), I(start = 20, fixed = true), R(start = 0, fixed = true), infections;
initial equation
  S + I + R = N;
equation
  infections = beta*S*I/N;
  der(S) = -infections;
  der(I) = infections - gamma*I;
  der(R) = gamma*I;
  annotation(experiment(StopTime = 60));
end EpidemicCensus;
