// cause: branch_jump | impasse
// culprits: y
// time: 4 +- 2e-2
// why: the curve (x^2 + y^2)^2 = x^2 - y^2 crosses itself in the origin, with the slopes +1 and -1; the pen arrives there at t
//     = 4, and for x > 0 both branches are solutions.
model PlotterCrossesTheLemniscate "pen at a given x on a closed curve"
  Real x, y(start = -0.3), ink(start = 0, fixed = true);
equation
  x = -0.8 + 0.2*time;
  (x^2 + y^2)^2 = x^2 - y^2;
  der(ink) = 0.2;
  annotation(experiment(StopTime = 7));
end PlotterCrossesTheLemniscate;
