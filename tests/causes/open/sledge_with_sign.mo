// cause: chattering
// culprits: v, F
// time: 0.6 +- 1e-2
// why: v = 3 - 5 t reaches 0 at 0.6; the pull of 1 N is less than the friction of 4 N, so v is pushed back to zero
//     from both sides: the body sticks.
model SledgeWithSign "Coulomb friction as mu*N*sign(v)"
  parameter Real m = 1, Fmax = 4;
  Real x(start = 0, fixed = true), v(start = 3, fixed = true), F, pull, heat(start = 0, fixed = true);
equation
  pull = -1;
  F = if v > 0 then Fmax else -Fmax;
  der(x) = v;
  m*der(v) = pull - F;
  der(heat) = F*v;
  annotation(experiment(StopTime = 1.5));
end SledgeWithSign;
