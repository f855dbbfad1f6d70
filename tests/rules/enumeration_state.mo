// rule: an enumeration as the state of a machine, compared in equations
// x goes up from 0.5 to 1 (t = 0.5), down to 0 (t = 1.5), up again
// expect x(0.25) = 0.75
// expect x(1) = 0.5
// expect x(2) = 0.5
// expect m(0.5-) = 1
// expect m(0.5+) = 2
// expect m(1.5+) = 1
type Mode = enumeration(up, down);
model EnumerationState
  Mode m(start = Mode.up, fixed = true);
  Real x(start = 0.5, fixed = true);
equation
  der(x) = if m == Mode.up then 1 else -1;
  when x >= 1 then
    m = Mode.down;
  elsewhen x <= 0 then
    m = Mode.up;
  end when;
  annotation(experiment(StopTime = 2));
end EnumerationState;
