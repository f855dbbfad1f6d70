// rule: discrete equations without a fixed point are refused at the event that asks for one; the variable
// is named
// expect exit not 0
// expect error 'n keeps changing'
// expect end 0.5
model ErrorEventIteration
  Real x(start = 0, fixed = true);
  Integer n(start = 0, fixed = true);
equation
  der(x) = 1;
  n = if x > 0.5 then 1 - pre(n) else 0;
  annotation(experiment(StopTime = 1));
end ErrorEventIteration;
