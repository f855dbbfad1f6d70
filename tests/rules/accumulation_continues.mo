// rule: behind the limit of accumulating events the run continues, with a warning, if the model has another mode there
// expect h(5) = 0 +- 1e-6
// expect v(5) = 0 +- 1e-6
// expect flying(1) = true
// expect flying(5) = false
// run solve
// run solve --method dopri
// run solve --method bdf
// expect warning 'events accumulate at t = 1.354'
model AccumulationContinues
  Real h(start = 1, fixed = true), v(start = 0, fixed = true);
  Boolean flying(start = true, fixed = true);
equation
  der(h) = v;
  der(v) = if flying then -9.81 else 0;
  when h < 0 then
    reinit(v, -0.5*pre(v));
  end when;
  when h <= 0 and abs(v) <= 1e-7 then
    flying = false;
  end when;
  annotation(experiment(StopTime = 5));
end AccumulationContinues;
