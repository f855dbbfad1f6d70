// rule: reinit of a variable that depends on several states is refused, not ignored
// expect exit 4
// expect error 'reinit(y, 5)'
model ErrorReinitSeveralStates
  Real x(start = 1, fixed = true), z(start = 2, fixed = true), y;
equation
  der(x) = -x;
  der(z) = -2*z;
  y = x + z;
  when time > 0.5 then
    reinit(y, 5);
  end when;
  annotation(experiment(StopTime = 1));
end ErrorReinitSeveralStates;
