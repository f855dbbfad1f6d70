// cause: bad_scaling | undetermined_variable | redundant_equations
// or: v1(1) = 500 +- 5; v2(1) = 500 +- 5
// culprits: v1, v2
// why: contact conductance 1e12 S and leakage 1e-12 S at the same node: 1e12 + 1e-12 = 1e12 in double precision, the
//     node equations are singular as computed, although v1 = v2 = I/(2 g) = 500 V exactly.
model SwitchAndLeakage "closed switch between two insulated plates, charged by a tiny current"
  parameter Real G = 1e12, g = 1e-12, I = 1e-9;
  Real v1, v2, heat(start = 0, fixed = true), w;
equation
  G*(v1 - v2) + g*v1 = I;
  G*(v2 - v1) + g*v2 = 0;
  w = g*(v1^2 + v2^2);
  der(heat) = w;
  annotation(experiment(StopTime = 1));
end SwitchAndLeakage;
