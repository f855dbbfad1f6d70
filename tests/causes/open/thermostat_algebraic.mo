// cause: contradiction
// culprits: mode, T
// time: 1 +- 1e-3
// why: the mass of the sensor was left out: in mode 2 T = 0.5 t, in mode 1 T = t, and mode = 2 while T > 1. From t =
//     1 on mode 1 gives T > 1 and mode 2 gives T < 1, until t = 2.
model ThermostatAlgebraic
  Real T, load, E(start = 0, fixed = true), Q;
  Integer mode(start = 1);
equation
  load = time;
  mode = if T > 1 then 2 else 1;
  T = if mode == 2 then 0.5*load else load;
  Q = 3*T;
  der(E) = Q;
  annotation(experiment(StopTime = 1.8));
end ThermostatAlgebraic;
