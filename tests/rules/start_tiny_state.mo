// rule: a fixed value decides a state that is far smaller than 1 and has no nominal value
// expect v(0) = 1e-3 +- 1e-9
// expect q(0) = 1e-15 +- 1e-21
// expect v(1) = 3.678794411714423e-4 +- 1e-8
// expect warning 'smaller than their absolute tolerances'
model StartTinyState
  Real v(start = 1e-3, fixed = true), i, q;
equation
  q = 1e-12*v;
  der(q) = -i;
  i = 1e-12*v;
  annotation(experiment(StopTime = 1));
end StartTinyState;
