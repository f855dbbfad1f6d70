// cause: structure
// culprits: q, q[9]
// why: eight cells have nine heat flows; q[1] is given by the boundary, q[2] to q[8] by conduction, and the condition at
//     the right end, for q[9], was forgotten: 17 unknowns, 16 equations.
model RodWithoutRightBoundary "heat conduction in finite volumes"
  parameter Real k = 3, h = 5, C = 10;
  Real T[8](start = 20, fixed = true), q[9];
equation
  q[1] = h*(100 - T[1]);
  for i in 2:8 loop
    q[i] = k*(T[i - 1] - T[i]);
  end for;
  for i in 1:8 loop
    C*der(T[i]) = q[i] - q[i + 1];
  end for;
  annotation(experiment(StopTime = 100));
end RodWithoutRightBoundary;
