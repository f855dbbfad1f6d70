// cause: chattering
// culprits: v1, v2, F
// time: 1 +- 1e-3
// why: v1 = 2 - 1.5 t and v2 = 0.5 t are equal at t = 1; from there on the friction pushes the difference back to
//     zero from both sides.
model PlatesStick "two plates slide on each other on ice, with dry friction between them"
  parameter Real m1 = 1, m2 = 3, Fmax = 1.5;
  Real v1(start = 2, fixed = true), v2(start = 0, fixed = true), F, heat(start = 0, fixed = true);
  Real x1(start = 0, fixed = true), x2(start = 0, fixed = true);
equation
  F = if v1 > v2 then Fmax else -Fmax;
  m1*der(v1) = -F;
  m2*der(v2) = F;
  der(x1) = v1;
  der(x2) = v2;
  der(heat) = F*(v1 - v2);
  annotation(experiment(StopTime = 2));
end PlatesStick;
