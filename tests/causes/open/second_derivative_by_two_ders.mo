// cause: text
// culprits: der
// why: der has one argument; a second derivative needs a variable for the first one.
model SecondDerivativeByTwoDers
  Real x(start = 1, fixed = true);
equation
  der(x, 2) = -x;
  annotation(experiment(StopTime = 2));
end SecondDerivativeByTwoDers;
