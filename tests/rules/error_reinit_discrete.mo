// rule: reinit() is for states, not for variables that a when assigns
// expect exit 3
// expect error 10:21 ''d' is discrete'
model ErrorReinitDiscrete
  Real x(start = 0, fixed = true);
  discrete Real d(start = 0, fixed = true);
equation
  der(x) = 1;
  when x > 0.8 then d = time; end when;
  when x > 0.5 then reinit(d, 0); end when;
  annotation(experiment(StopTime = 1));
end ErrorReinitDiscrete;
