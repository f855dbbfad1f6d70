// rule: a reinit at the start that contradicts a fixed start value is an error
// expect exit 5
// expect error 'initial equation "reinit(v, 2)" (line 9) and v fixed at 0 contradict each other'
model ReinitAgainstFixed
  Real v(start = 0, fixed = true);
equation
  der(v) = -v;
  when initial() then
    reinit(v, 2);
  end when;
  annotation(experiment(StopTime = 1));
end ReinitAgainstFixed;
