// cause: domain_error
// culprits: V, rate
// time: 0
// why: the tumour begins with volume 0, where K/V is a division by zero; the limit of V log(K/V) exists, but it is not what is computed.
model GompertzFromNothing "growth of a tumour"
  parameter Real r = 0.1, K = 1000;
  Real V(start = 0, fixed = true), rate, dose(start = 5, fixed = true);
equation
  rate = r*log(K/V);
  der(V) = rate*V;
  der(dose) = -0.3*dose;
  annotation(experiment(StopTime = 100));
end GompertzFromNothing;
