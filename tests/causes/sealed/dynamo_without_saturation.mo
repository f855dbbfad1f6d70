// cause: blow_up
// culprits: i, emf
// time: 2 +- 1e-2
// why: der(i) = i^1.5 from i = 1: i = 1/(1 - t/2)^2.
model DynamoWithoutSaturation "self-excited dynamo; the iron never saturates in this model"
  parameter Real L = 0.5, R = 1, k = 0.5;
  Real i(start = 1, fixed = true), emf, w(start = 10, fixed = true), T(start = 80, fixed = true);
equation
  emf = R*i + k*i*sqrt(i);
  L*der(i) = emf - R*i;
  der(w) = 0.3*(12 - w);
  der(T) = 0.1*(20 - T);
  annotation(experiment(StopTime = 4));
end DynamoWithoutSaturation;
