// rule: a system of index above 1 is refused, with its index (for now)
// expect exit 4
// expect error 'index 3'
model ErrorIndexThree
  Real x(start = 1), y(start = 0), u, v, F;
equation
  der(x) = u;
  der(y) = v;
  der(u) = -F*x;
  der(v) = -F*y - 9.81;
  x^2 + y^2 = 1;
  annotation(experiment(StopTime = 1));
end ErrorIndexThree;
