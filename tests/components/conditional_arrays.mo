// rule: of two conditional arrays of components one is there
// expect y(0) = 3
connector RO = output Real;
connector RI = input Real;
model S
  parameter Real k = 1;
  RO y = k;
end S;
model U
  RI u[2];
end U;
model Top
  parameter Integer n = 0;
  parameter Boolean has = n > 0;
  S s[n](k = {i for i in 1:n}) if has;
  S q[2](k = {1, 2}) if not has;
  U w;
  Real y = sum(w.u);
equation
  connect(q.y, w.u);
end Top;
