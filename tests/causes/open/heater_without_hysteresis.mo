// cause: chattering
// culprits: T, on
// time: 1.1889165 +- 1e-2
// why: with the heater on T rises towards 31.667, with it off it falls towards 5: T is pushed back to 20 from both
//     sides. T = 31.667 - 16.667 exp(-0.3 t) reaches 20 at ln(16.667/11.667)/0.3.
model HeaterWithoutHysteresis "room with an on/off heater"
  parameter Real Tset = 20, Ta = 5, k = 0.3, Qh = 8;
  Real T(start = 15, fixed = true), Q, energy(start = 0, fixed = true), loss;
  Boolean on;
equation
  on = T < Tset;
  Q = if on then Qh else 0;
  loss = k*(T - Ta);
  der(T) = Q - loss;
  der(energy) = Q;
  annotation(experiment(StopTime = 6));
end HeaterWithoutHysteresis;
