// cause: discontinuity
// or: i(2) = 0 +- 1e-6; Q(2) = 3.7333334 +- 1e-4
// culprits: i, vs, closed
// time: 1 +- 1e-6
// why: at t = 1 the switch opens and demands i = 0, but the coil carries 4 A and has no other path: the voltage of
//     the switch is an impulse.
model SwitchOpensCoil "relay coil with an ideal switch and no freewheeling diode"
  parameter Real U = 12, R = 3, L = 0.2;
  Real i(start = 0, fixed = true), vs, Q(start = 0, fixed = true), P;
  Boolean closed;
equation
  closed = time < 1;
  L*der(i) = U - R*i - vs;
  0 = if closed then vs else i;
  der(Q) = i;
  P = vs*i;
  annotation(experiment(StopTime = 2));
end SwitchOpensCoil;
