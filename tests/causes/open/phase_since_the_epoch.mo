// cause: bad_scaling
// culprits: stamp, tide
// why: the time stamp counts nanoseconds since 1970, 1.7e18, where doubles are 256 apart: sin(stamp) has no digit that is right.
model PhaseSinceTheEpoch
  parameter Real t0 = 1.7e18;
  Real stamp, tide, sand(start = 0, fixed = true);
equation
  stamp = t0 + 2*time;
  tide = sin(stamp);
  der(sand) = tide;
  annotation(experiment(StopTime = 10));
end PhaseSinceTheEpoch;
