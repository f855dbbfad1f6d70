// cause: discontinuity
// culprits: v, i
// time: 1e-3 +- 1e-6
// why: an ideal source with a square wave lies directly on a capacitor: i = C der(v) is an impulse at each edge, the first at 1
//     ms. A resistance of the source is missing.
model SquareWaveOnACapacitor "pulse generator without inner resistance"
  parameter Real C = 1e-6;
  Real v, i, q(start = 0, fixed = true);
equation
  v = if mod(time, 2e-3) < 1e-3 then 0 else 5;
  i = C*der(v);
  1e3*der(q) = v - q;
  annotation(experiment(StopTime = 0.01));
end SquareWaveOnACapacitor;
