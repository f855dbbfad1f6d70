// cause: redundant_equations | undetermined_variable
// culprits: ia, ib, ic
// why: Kirchhoff's law was written for all three loops between the phases; the third is the sum of the other two. That the
//     three currents add up to zero was forgotten, so that a common part of them is free.
model CurrentsBetweenPhases "star without neutral, written by loops"
  parameter Real R = 8, w = 314.15926535897932, U = 325, third = 2.0943951023931953;
  Real va, vb, vc, ia, ib, ic, W(start = 0, fixed = true);
equation
  va = U*cos(w*time);
  vb = U*cos(w*time - third);
  vc = U*cos(w*time + third);
  va - vb = R*(ia - ib);
  vb - vc = R*(ib - ic);
  vc - va = R*(ic - ia);
  der(W) = va*ia + vb*ib + vc*ic;
  annotation(experiment(StopTime = 0.04));
end CurrentsBetweenPhases;
