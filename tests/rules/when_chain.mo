// rule: what one when sets may fire the next at the same time
// expect n(0.5-) = 0
// expect n(0.5+) = 7
// expect m(0.5+) = 8
model WhenChain
  Boolean a(start = false, fixed = true);
  Integer n(start = 0, fixed = true), m(start = 0, fixed = true);
equation
  when n > 5 then
    m = n + 1;
  end when;
  when a then
    n = 7;
  end when;
  when time >= 0.5 then
    a = true;
  end when;
  annotation(experiment(StopTime = 1));
end WhenChain;
