// cause: impasse
// culprits: x
// time: 20.279752 +- 5e-2
// why: the protein is in balance with its own promotion, x = s + 1.8 x^2/(1 + x^2); as s falls, the high state vanishes in a
//     fold at x = 0.887, s = 0.0944, t = 20.28. A solution beyond exists only far away, on the low branch.
model GeneSwitchedOffSlowly "quasi-steady bistable gene"
  parameter Real b = 1.8;
  Real s, x(start = 1.9), dose(start = 0, fixed = true);
equation
  s = 0.5 - 0.02*time;
  x = s + b*x^2/(1 + x^2);
  der(dose) = x;
  annotation(experiment(StopTime = 24));
end GeneSwitchedOffSlowly;
