// cause: none
// expect: v(2) = -2.554128119e-05 +- 1e-5
// why: tanh(1e4 v) instead of sign(v): the sledge slows down by 5 until 0.6 s, and then creeps where 4 tanh(1e4 v) =
//     -1: v = -atanh(0.25)/1e4.
model HealthySteepFriction "stiff but smooth"
  Real v(start = 3, fixed = true), x(start = 0, fixed = true), F;
equation
  F = 4*tanh(1e4*v);
  der(v) = -1 - F;
  der(x) = v;
  annotation(experiment(StopTime = 2));
end HealthySteepFriction;
