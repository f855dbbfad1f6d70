// rule: pre(x) of a continuous x outside of a when is the value at the last event, and that is told
// expect warning 'pre(x) outside of'
// expect y(0.4) = 1
// expect y(0.8) = 0.6065307 +- 1e-4
model PreOfContinuous
  Real x(start = 1, fixed = true), y;
  Integer n(start = 0, fixed = true);
equation
  der(x) = -x;
  y = pre(x);
  when time > 0.5 then
    n = 1;
  end when;
  annotation(experiment(StopTime = 1));
end PreOfContinuous;
