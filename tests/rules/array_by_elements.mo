// rule: an array can be declared element by element, as exporters write it
// expect a[1](1) = 1*exp(-1)
// expect a[2](1) = 2*exp(-1)
// expect s(0) = 6
// expect m[2,1](1) = 12
// expect m[1,2](1) = 11
// expect r[2].u(1) = 3
// expect one[1](1) = 5
record R
  Real u;
end R;
model ArrayByElements
  Real a[2](start = 2, fixed = true);
  Real a[1](start = 1, fixed = true);
  Real m[1,1] = 10;
  Real m[1,2];
  Real m[2,1];
  Real m[2,2] = 13*time;
  parameter Real p[1] = 1;
  parameter Real p[2] = 3;
  R r[1], r[2];
  Real one[1] = 5;
  Real s = 2*sum(a);
equation
  for i loop
    der(a[i]) = -a[i];
    r[i].u = p[i];
  end for;
  m[1,2] = 11*time;
  m[2,1] = m[1,1] + 2;
  annotation(experiment(StopTime = 1));
end ArrayByElements;
