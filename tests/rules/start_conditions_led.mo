// rule: a fixed value behind a fold is reached by continuation while the equations hold
// expect x(0) = -1.7692923542386314
// expect y(0) = -2
// expect warning 'one farther away was found by continuation of the initial conditions'
model StartConditionsLed
  Real x(start = 3), y(start = -2, fixed = true);
equation
  der(x) = -x;
  y = x^3 - 2*x;
  annotation(experiment(StopTime = 0.1));
end StartConditionsLed;
