// rule: initial equations hold in the mode of their solution, also where they alone read it
// expect x(0) = 2
// expect u(0) = 3
// expect n(0) = 1
// expect z(0) = 4
model StartModeOfInitialEquation
  Real x(start = 0), z(start = 0), u;
  discrete Integer n(start = 0);
  Boolean b;
initial equation
  u = 3;
  n = if x > 1 then 1 else 0;
  z = if n > 0 then 4 else 0;
equation
  b = x > 1;
  u = if b then x + 1 else x - 1;
  der(x) = -x;
  der(z) = -z;
  when x < -1 then
    n = pre(n) + 1;
  end when;
  annotation(experiment(StopTime = 0.1));
end StartModeOfInitialEquation;
