// cause: contradiction
// culprits: y, u
// time: 0
// why: y > u gives y = u - 1, which is not above u, and y <= u gives y = u + 1, which is.
model SetpointFromItself "a two-point controller that compares its own output"
  Real u, y, x(start = 0, fixed = true);
equation
  der(x) = 1;
  u = x - 0.5;
  y = if y > u then u - 1 else u + 1;
  annotation(experiment(StopTime = 1));
end SetpointFromItself;
