// rule: what the flat language lacks is read as in models with components: a size from the value, operators of records
// run solve
// expect x[1](1) = 2*exp(1) - 3
// expect c.r(1) = 3
operator record Number
  Real r;
  operator function '+'
    input Number a, b;
    output Number c;
  algorithm
    c := Number(a.r + b.r);
  end '+';
end Number;

model FlatWithMore
  parameter Real A[:, size(A, 1)] = {{1, 0}, {0, 1}};
  parameter Real B[size(A, 1), :] = {{1}, {1}};
  Real x[size(A, 1)](each start = 0, each fixed = true);
  Real u[1] = {1 + time};
  Number a = Number(1), b = Number(2), c;
equation
  der(x) = A*x + B*u;
  c = a + b;
  annotation(experiment(StopTime = 1));
end FlatWithMore;
