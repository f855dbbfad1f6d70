// rule: reinits that set off their own when-clause again and again are told, and all their states are named
// expect exit not 0
// expect error ': x, y keep changing'
// expect end 0.5
model ErrorEventIterationReinits
  Real x(start = 0, fixed = true), y(start = 0, fixed = true);
equation
  der(x) = 1;
  der(y) = 1;
  when {x > 0.5, x < 0.4} then
    reinit(x, 0.9 - x);
    reinit(y, -y);
  end when;
  annotation(experiment(StopTime = 1));
end ErrorEventIterationReinits;
