// rule: an impulse moves states that no constraint names, through what couples them
// expect v(0) = 0.7142857143
// expect w(0) = 2.1428571429
// expect u(0) = -0.3571428571
model StartImpulseCoupled "(v, w) have a full mass matrix; v + 2 u = 0 pushes v, and w with it"
  Real v(start = 1), w(start = 2), u(start = 0.5), f;
equation
  2*der(v) + der(w) = f;
  der(v) + 2*der(w) = 0;
  der(u) = 2*f;
  v + 2*u = 0;
  annotation(experiment(StopTime = 1));
end StartImpulseCoupled;
