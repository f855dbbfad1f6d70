// rule: the range of an iterator that is not written is that of the arrays it subscripts
// expect x[3](2) = 6
// expect A[2,3](2) = 32
// expect s(2) = 12
// expect y[2](2) = 8
// expect z[3](2) = 6
function double
  input Real u[:];
  output Real y[size(u, 1)];
algorithm
  for i loop
    y[i] := 2*u[i];
  end for;
end double;
model ForWithoutRange
  Real x[3], A[2, 3], y[3], z[3];
  Real s = sum(x[i] for i);
equation
  for i loop
    x[i] = i*time;
  end for;
  for i, j loop
    A[i, j] = i + 10*j;
  end for;
  y = double(x);
algorithm
  for i loop
    z[i] := x[i];
  end for;
  annotation(experiment(StopTime = 2));
end ForWithoutRange;
