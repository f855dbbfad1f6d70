// cause: discontinuity
// culprits: v, F, belt
// time: 2 +- 1e-6
// why: the parcel is tied to the belt, whose speed jumps from 1 to -1 at t = 2: the force that this takes is infinite.
model ConveyorBeltReversesAtOnce
  parameter Real m = 3;
  Real x(start = 0, fixed = true), v, F, belt;
equation
  belt = if time < 2 then 1 else -1;
  der(x) = v;
  v = belt;
  m*der(v) = F;
  annotation(experiment(StopTime = 4));
end ConveyorBeltReversesAtOnce;
