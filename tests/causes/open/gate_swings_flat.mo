// cause: impasse
// culprits: x, y
// time: 0.8 +- 1e-2
// why: the foot of the gate of length 1 is drawn away with the speed 0.5 from 0.6; at 1.0 the gate lies flat, its top has
//     an infinite speed, and no solution goes on.
model GateSwingsFlat
  Real x(start = 0.6, fixed = true), y(start = 0.8), w;
equation
  der(x) = 0.5;
  x^2 + y^2 = 1;
  w = 3*y;
  annotation(experiment(StopTime = 2));
end GateSwingsFlat;
