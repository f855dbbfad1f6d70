// cause: branch_jump | impasse
// culprits: n
// time: 4 +- 2e-2
// why: in the steady state n (g - n - 1) = 0: the laser branch n = g - 1 = 2 - t/2 meets the dark branch n = 0 at t = 4. Both
//     continue (one with negative light), and the equation does not say which.
model LaserDimmedBelowThreshold "photon number of a laser in its steady state"
  Real g, n(start = 2), light(start = 0, fixed = true);
equation
  g = 3 - 0.5*time;
  n*(g - n - 1) = 0;
  der(light) = n;
  annotation(experiment(StopTime = 6));
end LaserDimmedBelowThreshold;
