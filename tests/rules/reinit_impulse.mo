// rule: values of reinit that contradict a constraint are made consistent by an impulse: two masses on a rod
// of which one is struck share the momentum 2*3 = (2 + 1) v
// expect v1(0.4) = 0 +- 1e-9
// expect v1(0.5+) = 2
// expect v2(0.5+) = 2
// expect x2(1) = 2 +- 1e-6
model ReinitImpulse
  Real x1(start = 0, fixed = true), x2(start = 1), v1(start = 0, fixed = true), v2, f;
equation
  der(x1) = v1;
  der(x2) = v2;
  2*der(v1) = f;
  der(v2) = -f;
  x2 - x1 = 1;
  when time >= 0.5 then
    reinit(v1, 3);
    reinit(v2, 0);
  end when;
  annotation(experiment(StopTime = 1));
end ReinitImpulse;
