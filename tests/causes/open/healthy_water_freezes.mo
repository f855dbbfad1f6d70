// cause: none
// expect: T(2200) = -9.421784925 +- 1e-3; H(2200) = -19.78574834 +- 2e-3
// why: temperature as a function of enthalpy with two corners: cools until 210 ln 3 = 230.7 s, freezes for 1670 s, cools on:
//     exponentials.
model HealthyWaterFreezes "bucket of water in the cold, kJ per kg"
  parameter Real cw = 4.2, ci = 2.1, L = 334, G = 0.02, Tout = -10;
  Real H(start = 418, fixed = true), T;
equation
  T = if H > L then (H - L)/cw elseif H < 0 then H/ci else 0;
  der(H) = -G*(T - Tout);
  annotation(experiment(StopTime = 2200));
end HealthyWaterFreezes;
