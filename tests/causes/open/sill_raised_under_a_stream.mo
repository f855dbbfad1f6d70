// cause: impasse | branch_jump
// culprits: h
// time: 15.98591 +- 1e-2
// why: with the energy E above the bottom h + q^2/(2 g h^2) = E - b; the left side is at least 1.5 (q^2/g)^(1/3) = 0.70070 for
//     positive depths, which is reached with the sill b = 0.79930 at the critical depth.
model SillRaisedUnderAStream "depth of a channel over a sill that is raised slowly"
  parameter Real q = 1, g = 9.81, E = 1.5;
  Real b(start = 0, fixed = true), h(start = 1.47), level, v;
equation
  der(b) = 0.05;
  h + q^2/(2*g*h^2) = E - b;
  level = h + b;
  v = q/h;
  annotation(experiment(StopTime = 25));
end SillRaisedUnderAStream;
