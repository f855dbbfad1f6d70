// rule: the value that an initial equation gives is the guess, whatever the start value says
// y^3 - 3 y = 1 has three solutions; from x = -5 another one would be found
// expect x(0) = 1
// expect y(0) = 2*cos(13*pi/9)
model InitialEquationGuess
  Real x(start = -5), y(start = 0);
initial equation
  x = 1;
equation
  der(x) = 0;
  y^3 - 3*y = x;
  annotation(experiment(StopTime = 0.1));
end InitialEquationGuess;
