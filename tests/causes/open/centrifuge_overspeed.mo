// cause: assertion
// culprits: w, overspeed
// time: 34.657359 +- 0.3
// why: w = 2000 (1 - exp(-t/25)) exceeds the 1500 of the assertion at 25 ln 4.
model CentrifugeOverspeed "rotor with friction and a protection"
  parameter Real J = 0.5, b = 0.02, T = 40, wmax = 1500;
  Real w(start = 0, fixed = true, nominal = 1000), P;
equation
  J*der(w) = T - b*w;
  P = T*w;
  assert(w < wmax, "overspeed of the centrifuge");
  annotation(experiment(StopTime = 100));
end CentrifugeOverspeed;
