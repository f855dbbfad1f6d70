// cause: bounds
// culprits: phi
// time: 90.970783 +- 0.5
// why: the room cools, T = 5 + 20 exp(-0.01 t), with the vapour pressure of 1500 Pa; it passes the dew point, 13.05 degrees, at
//     t = 90.97, and the relative humidity its declared maximum of 1. Condensation was not modelled.
model HumidityAboveSaturation "room whose heating is off, time in minutes"
  parameter Real pv = 1500, Tout = 5;
  Real T(start = 25, fixed = true), ps(nominal = 1e3), phi(max = 1);
equation
  der(T) = -0.01*(T - Tout);
  ps = 611.2*exp(17.62*T/(243.12 + T));
  phi = pv/ps;
  annotation(experiment(StopTime = 200));
end HumidityAboveSaturation;
