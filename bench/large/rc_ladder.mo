model Ladder "RC ladder: n cells of a resistor and a capacitor, 2n equations"
  parameter Integer n = 5000;
  parameter Real R = 1, C = 1e-3;
  Real v[n](each start = 0, each fixed = true) "voltages of the capacitors";
  Real i[n] "currents of the resistors";
  Real u = sin(100*time);
equation
  R*i[1] = u - v[1];
  for k in 2:n loop
    R*i[k] = v[k - 1] - v[k];
  end for;
  for k in 1:n - 1 loop
    C*der(v[k]) = i[k] - i[k + 1];
  end for;
  C*der(v[n]) = i[n];
  annotation(experiment(StopTime = 1e-6));
end Ladder;
