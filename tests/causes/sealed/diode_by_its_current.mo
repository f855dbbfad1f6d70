// cause: contradiction | event_iteration
// culprits: off, i, v
// time: 3.1415927 +- 1e-2
// why: where the source is negative, the diode that conducts has i < 0, so it is off; and the one that is off has
//     i = 0, which is not less than 0, so it conducts. The test should have been of the voltage.
model DiodeByItsCurrent "ideal diode, switched by the sign of its own current"
  parameter Real R = 50, C = 1e-3;
  Real u, v, i, vf(start = 0, fixed = true);
  Boolean off;
equation
  u = 10*sin(time);
  u = v + R*i;
  off = i < 0;
  0 = if off then i else v;
  C*der(vf) = i - vf/200;
  annotation(experiment(StopTime = 6));
end DiodeByItsCurrent;
