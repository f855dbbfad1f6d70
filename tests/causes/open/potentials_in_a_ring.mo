// cause: redundant_equations
// culprits: a, c
// why: a = b = c, and c = a + 1 contradicts it, although there are as many equations as unknowns.
model PotentialsInARing "three wires and a battery that is shorted"
  Real a, b, c, s(start = 0, fixed = true);
equation
  a = b;
  b = c;
  c = a + 1;
  der(s) = a;
  annotation(experiment(StopTime = 1));
end PotentialsInARing;
