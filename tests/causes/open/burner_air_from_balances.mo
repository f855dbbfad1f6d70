// cause: redundant_equations | undetermined_variable
// culprits: air, nO2, nCO2, nH2O
// why: the mass balance is 12 times the balance of carbon plus that of hydrogen plus 16 times that of oxygen: 44 = 12 + 32, 18
//     = 2 + 16, 16 = 12 + 4. The excess air was to be given instead; the air is free.
model BurnerAirFromBalances "methane burnt with air, kmol/h"
  parameter Real fuel = 2, C = 50;
  Real nCO2, nH2O, nO2, air, T(start = 300, fixed = true);
equation
  nCO2 = fuel;
  2*nH2O = 4*fuel;
  2*nCO2 + nH2O + 2*nO2 = 2*air;
  44*nCO2 + 18*nH2O + 32*nO2 + 105*air = 16*fuel + 32*air + 105*air;
  C*der(T) = 100*nCO2 - (T - 300);
  annotation(experiment(StopTime = 100));
end BurnerAirFromBalances;
