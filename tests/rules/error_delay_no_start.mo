// rule: a delay that no first value satisfies is refused at the start: u = u + 1
// expect exit not 0
// expect error 'the values of delay() at t = 0 do not settle'
model ErrorDelayNoStart
  Real u, x(start = 0, fixed = true);
equation
  u = delay(u, 1) + 1;
  der(x) = u;
  annotation(experiment(StopTime = 2));
end ErrorDelayNoStart;
