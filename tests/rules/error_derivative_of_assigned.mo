// rule: a state that is assigned in a when-clause gets the advice to use reinit
// expect exit 3
// expect error 'reinit(x, ...)'
// expect error 'reinit(y, ...)'
model ErrorDerivativeOfAssigned
  Real x(start = 1, fixed = true), y(start = 1, fixed = true);
equation
  when x < 0.5 then
    x = 1;
  end when;
  der(x) = -x;
  der(y) = -y;
  when y < 0.5 then
    y = 1;
  end when;
  annotation(experiment(StopTime = 1));
end ErrorDerivativeOfAssigned;
