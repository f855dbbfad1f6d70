// cause: undetermined_variable | redundant_equations
// culprits: h1, h2, h3, h4
// why: four nodes of a ring main, flows proportional to differences of heads, balances at all nodes; what is fed in, 10,
//     is what is drawn, 3 + 3 + 4. No reservoir sets a head, so that all heads can be shifted together, and one balance
//     follows from the other three.
model WaterRingWithoutReservoir "ring main with three consumers"
  parameter Real k1 = 2, k2 = 1.5, k3 = 1, k4 = 2.5, volume = 40;
  Real h1, h2, h3, h4, q12, q23, q34, q41, c(start = 0, fixed = true);
equation
  q12 = k1*(h1 - h2);
  q23 = k2*(h2 - h3);
  q34 = k3*(h3 - h4);
  q41 = k4*(h4 - h1);
  10 + q41 = q12;
  q12 = q23 + 3;
  q23 = q34 + 3;
  q34 = q41 + 4;
  volume*der(c) = 10*(0.3 - c);
  annotation(experiment(StopTime = 24));
end WaterRingWithoutReservoir;
