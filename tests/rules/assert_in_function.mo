// rule: an assertion inside a function stops the run
// expect exit 1
// expect error 'negative input'
function checked
  input Real x;
  output Real y;
algorithm
  assert(x >= 0, "negative input");
  y := 2*x;
end checked;
model AssertInFunction
  Real y = checked(if time < 0.5 then 1 else -1);
  annotation(experiment(StopTime = 1));
end AssertInFunction;
