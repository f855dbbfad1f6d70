// cause: contradiction | no_solution
// culprits: s, v, i
// time: 1 +- 1e-3
// why: the voltage of the resistor has the wrong sign, v = E + R i. Blocked: v = s = E must be negative; conducting: 0 = E + R
//     s must give s >= 0. For E = t - 1 > 0 both fail.
model DiodeBehindAReversedResistor "ideal diode, curve with the parameter s"
  parameter Real R = 2;
  Real E, v, i, s(start = -1), q(start = 0, fixed = true);
equation
  E = time - 1;
  v = E + R*i;
  v = if s < 0 then s else 0;
  i = if s < 0 then 0 else s;
  der(q) = i;
  annotation(experiment(StopTime = 2));
end DiodeBehindAReversedResistor;
