// cause: tolerance_too_small
// culprits: T, Tw
// why: the tolerance 2e-17 is a tenth of the distance of neighbouring doubles, and T is some 1000 K.
model KilnToAllDigitsAndMore "kiln with brick lining"
  parameter Real C = 2e4, Cw = 1e6, G = 80, Gw = 30;
  Real T(start = 1200, fixed = true), Tw(start = 900, fixed = true);
equation
  C*der(T) = 3e4 - G*(T - Tw);
  Cw*der(Tw) = G*(T - Tw) - Gw*(Tw - 300);
  annotation(experiment(StopTime = 36000, Tolerance = 2e-17));
end KilnToAllDigitsAndMore;
