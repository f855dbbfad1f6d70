// rule: der() of an algebraic variable that depends on derivatives of states is refused at the start
// expect exit 5
// expect error 'contains the derivative of f, which no equation contains'
model ErrorStartSecondDerivative
  Real x(start = 1), f;
equation
  f + f^3 = der(x);
  der(x) = -x;
initial equation
  der(f) = 0.5;
  annotation(experiment(StopTime = 1));
end ErrorStartSecondDerivative;
