// A hot mixture smoulders, heats itself, and explodes after 0.18 ms.  Energy is conserved: the
// temperature follows from the fuel that is left, without a derivative.
// reference: T = 1308.21400937 at t = 0.00017, tolerance 1e-3
// from: extrapolation method at 1e-13 (tests/golden/reference_values.py)
model CombustionIgnition "a mixture that ignites after a delay"
  parameter Real A(unit = "1/s") = 1e9, Ta(unit = "K") = 15000;
  parameter Real T0(unit = "K") = 1000, q(unit = "K") = 1500 "rise when all is burnt";
  Real Y(start = 1, fixed = true) "fuel left";
  Real T(unit = "K", start = 1000, nominal = 1000);
equation
  der(Y) = -A*Y*exp(-Ta/T);
  T = T0 + q*(1 - Y);
  annotation(experiment(StopTime = 3e-4));
end CombustionIgnition;
