// rule: a top-level input without a binding is its start value, with a warning
// expect warning 'force'
// expect y(1) = 5
model InputAtTop
  input Real force(start = 2);
  input Real given = 3*time;
  output Real y = force + given;
  annotation(experiment(StopTime = 1));
end InputAtTop;
