// cause: inconsistent_start
// culprits: p, T
// time: 0
// why: saturated steam: p is a function of T, 47.9 kPa at 353.15 K; the user fixed both p (101325 Pa) and T. One degree
//     of freedom, two fixed values that disagree.
model BoilerPressureAndTemperature "water and steam in equilibrium in a closed kettle"
  parameter Real C = 5e4, UA = 20, Q = 2000, Tamb = 293.15;
  Real T(start = 353.15, fixed = true, nominal = 300), p(start = 101325, fixed = true, nominal = 1e5), loss;
equation
  C*der(T) = Q - loss;
  loss = UA*(T - Tamb);
  p = 611.2*exp(17.62*(T - 273.15)/(T - 30.03));
  annotation(experiment(StopTime = 600));
end BoilerPressureAndTemperature;
