// rule: where the equations of the new mode force it, states jump by an impulse: capacitors that are
// joined share their charge
// expect v1(0.5-) = 2
// expect v1(0.5+) = 0.5
// expect v2(0.5+) = 0.5
// expect i(0.4) = 0
// expect v2(1) = 0.5
model EventImpulseCharge
  Real v1(start = 2, fixed = true), v2(start = 0, fixed = true), i;
equation
  der(v1) = -i;
  3*der(v2) = i;
  0 = if time > 0.5 then v1 - v2 else i;
  annotation(experiment(StopTime = 1));
end EventImpulseCharge;
