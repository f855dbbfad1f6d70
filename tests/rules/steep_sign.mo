// rule: sign(q)*q^2 reverses, too, and as often as its pressure does
// expect q(1.5) = sqrt(cos(1.5))
// expect q(2) = -sqrt(-cos(2))
// expect q(4) = -sqrt(-cos(4))
// expect q(7) = sqrt(cos(7))
model SteepSign
  Real q(start = 1), V(start = 0, fixed = true);
equation
  sign(q)*q^2 = cos(time);
  der(V) = q;
  annotation(experiment(StopTime = 7));
end SteepSign;
