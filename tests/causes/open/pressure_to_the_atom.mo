// cause: tolerance_too_small
// run: --rtol 1e-16 --atol 1e-25
// why: p is 1e7 Pa; the tolerance 1e-16*1e7 + 1e-25 is less than the distance 1.9e-9 between neighbouring numbers
//     there.
model PressureToTheAtom
  parameter Real p0 = 1e7, k = 2;
  Real p(start = 1e7, fixed = true), q, V(start = 0, fixed = true);
equation
  q = 1e-6*p*cos(k*time);
  der(p) = -1e5*q;
  der(V) = q;
  annotation(experiment(StopTime = 5));
end PressureToTheAtom;
