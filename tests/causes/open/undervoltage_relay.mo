// cause: contradiction
// culprits: load, v
// time: 2 +- 1e-3
// why: with the load v = E - 3, without it v = E; the relay connects the load while v > 8. E = 13 - t, so v = 10 - t
//     <= 8 from t = 2, and then v = 13 - t > 8 connects it again: neither state fits until t = 5.
model UndervoltageRelay "a relay drops the load when the voltage is low, without hysteresis"
  parameter Real R = 0.3, I = 10;
  Real E, v, i, soc(start = 1, fixed = true), P;
  Boolean load(start = true);
equation
  E = 13 - time;
  load = v > 8;
  i = if load then I else 0;
  v = E - R*i;
  P = v*i;
  der(soc) = -i/3600;
  annotation(experiment(StopTime = 4));
end UndervoltageRelay;
