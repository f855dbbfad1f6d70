// rule: a cube root starts at zero, where its slope is infinite
// run solve
// run solve --rtol 1e-8
// run solve --method bdf
// run solve --method radau
// run solve --method rodas
// run solve --method limex
// expect x(1) = -1
// expect v(1) = -0.75
model StartAtCubeRoot
  Real x(start = 0), v(start = 0, fixed = true);
equation
  x^3 = -time;
  der(v) = x;
  annotation(experiment(StopTime = 1));
end StartAtCubeRoot;
