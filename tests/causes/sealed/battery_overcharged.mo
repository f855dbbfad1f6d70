// cause: bounds
// culprits: soc
// time: 4 +- 2e-2
// why: soc = 0.6 + 0.1 t exceeds its declared maximum 1 at t = 4: the charger has no end.
model BatteryOvercharged
  type Share = Real(min = 0, max = 1);
  parameter Real capacity = 50, iCharge = 5;
  Share soc(start = 0.6, fixed = true);
  Real v, heat(start = 0, fixed = true);
equation
  capacity*der(soc) = iCharge;
  v = 3 + 0.8*soc;
  der(heat) = 0.01*iCharge^2 - 0.1*heat;
  annotation(experiment(StopTime = 8));
end BatteryOvercharged;
