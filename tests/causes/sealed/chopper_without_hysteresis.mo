// cause: chattering
// culprits: i, v, on
// time: 0.0026949825 +- 1e-5
// why: i = 12 (1 - exp(-200 t)) reaches 5 A at ln(12/7)/200; there it rises while the transistor is on (24 - 10 > 0)
//     and falls while it is off.
model ChopperWithoutHysteresis "current control of a coil by a comparator alone"
  parameter Real U = 24, R = 2, L = 0.01, iRef = 5;
  Real i(start = 0, fixed = true), v, Q(start = 0, fixed = true), heat(start = 0, fixed = true);
  Boolean on;
equation
  on = i < iRef;
  v = if on then U else 0;
  L*der(i) = v - R*i;
  der(Q) = i;
  der(heat) = R*i^2;
  annotation(experiment(StopTime = 0.02));
end ChopperWithoutHysteresis;
