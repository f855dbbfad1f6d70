// rule: smooth(1, e) needs no event; its value is e
// expect y(0.25) = 0
// expect y(1) = 0.25
// expect events 0
model SmoothOperator
  Real y = smooth(1, if time < 0.5 then 0 else (time - 0.5)^2);
  annotation(experiment(StopTime = 1));
end SmoothOperator;
