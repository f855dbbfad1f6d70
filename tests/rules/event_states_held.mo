// rule: the mode after an event is found with the states held: a current that is cut off does not vanish, the
// ideal diode beside it takes it over
// i = 3 (1 - exp(-2 t)) until t = 0.6, then it decays with the same time constant
// expect i(0.6-) = 3*(1 - exp(-1.2))
// expect i(0.6+) = 3*(1 - exp(-1.2))
// expect i(1) = 3*(1 - exp(-1.2))*exp(-0.8)
// expect iD(1) = 3*(1 - exp(-1.2))*exp(-0.8)
// expect off(0.5) = true
// expect off(0.7) = false
// expect i(1.5) = 3 + (3*(1 - exp(-1.2))*exp(-1) - 3)*exp(-0.8)
// expect off(1.5) = true
model EventStatesHeld
  Real i(start = 0, fixed = true), vx, iS, iD, s(start = -1);
  Boolean on = time < 0.6 or time >= 1.1, off;
equation
  if on then
    vx = 9;
  else
    iS = 0;
  end if;
  off = s < 0;
  -vx = if off then s else 0;
  iD = if off then 0 else s;
  i = iS + iD;
  1.5*der(i) = vx - 3*i;
  annotation(experiment(StopTime = 2));
end EventStatesHeld;
