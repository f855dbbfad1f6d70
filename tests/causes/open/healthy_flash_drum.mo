// cause: none
// expect: V(250) = 0.849779607 +- 1e-4; x1(250) = 0.3176162671 +- 1e-5
// why: benzene and toluene by Raoult and Antoine: x1 = (1 - K2)/(K1 - K2), V from the feed 0.5; between bubble and dew point (V
//     from 0.116 to 0.850). The guesses are far away.
model HealthyFlashDrum "two-phase equilibrium while the temperature rises"
  parameter Real p = 101.325, z1 = 0.5;
  Real T(start = 366, fixed = true, nominal = 300), K1(start = 1), K2(start = 1), x1, x2, y1, y2, V(start = 5);
equation
  der(T) = 0.02;
  K1*p = 0.133322368*10^(6.90565 - 1211.033/(220.79 + T - 273.15));
  K2*p = 0.133322368*10^(6.95464 - 1344.8/(219.482 + T - 273.15));
  y1 = K1*x1;
  y2 = K2*x2;
  x1 + x2 = 1;
  y1 + y2 = 1;
  z1 = (1 - V)*x1 + V*y1;
  annotation(experiment(StopTime = 250));
end HealthyFlashDrum;
