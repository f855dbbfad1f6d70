// rule: der(der(x)) is the second derivative; an expression with a derivative has one too
// run solve
// expect x(1) = cos(1)
// expect z(1) = sin(2)
// expect p(1) = 1/3
// expect q(1) = 1
model DerivativeOfDerivative
  parameter Real k = 4;
  Real x(start = 1, fixed = true), v = der(x);
  Real z(start = 0, fixed = true);
  Real p(start = 0, fixed = true), q = der(p);
initial equation
  v = 0;
  der(z) = 2;
  q = 0;
equation
  2*der(der(x)) = -2*x;
  der(0.5*der(z)) + k*z = 0.5*k*z;
  der(der(der(p))) = 2;
initial equation
  der(der(p)) = 0;
  annotation(experiment(StopTime = 1));
end DerivativeOfDerivative;
