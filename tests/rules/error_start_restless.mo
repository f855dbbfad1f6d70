// rule: an initial equation that no mode satisfies is an error, which names what keeps changing
// expect exit 5
// expect error 'does not settle'
// expect error 'x > 1'
model ErrorStartRestless
  Real x(start = 0), u;
  Boolean b;
initial equation
  u = 1;
equation
  b = x > 1;
  u = if b then x + 1 else x - 1;
  der(x) = -x;
  annotation(experiment(StopTime = 1));
end ErrorStartRestless;
