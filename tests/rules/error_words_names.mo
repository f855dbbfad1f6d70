// rule: names of other languages name the cure
// expect exit 3
// expect error 15:12 'write sin(...)'
// expect error 16:12 'the natural logarithm is log(x)'
// expect error 17:3 'the derivative of x is written der(x)'
// expect error 18:3 'the derivative of y is written der(y)'
// expect error 19:3 'a start value Real x(start = 1, fixed = true)'
// expect error 20:7 'a text is written in double quotes'
// expect error 21:3 'a vector is {1, 2, 3}'
// expect error 22:7 'element by element it is written .^'
// expect error 23:7 'needs an array, or two arguments'
model ErrorWords
  Real x(start = 1), y, z, w[3], v[3];
equation
  der(x) = np.sin(time);
  der(y) = np.ln(x);
  xdot = 1;
  dydt = 1;
  x(0) = 1;
  z = 'hello';
  w = [1, 2, 3];
  v = w ^ 2;
  z = max(x);
  annotation(experiment(StopTime = 1));
end ErrorWords;
