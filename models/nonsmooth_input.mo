// The solution of an algebraic equation jumps with its input, and its integral has a corner.
// reference: x1 = 1.5 at t = 2.5, tolerance 1e-6
// from: closed form
model NonsmoothInput "an algebraic variable that jumps with its input"
  Real x1(start = 0, fixed = true), x2, g "input";
equation
  g = if time < 1 then 0 else 1;
  der(x1) = x2;
  0 = x2 - g;
  annotation(experiment(StopTime = 3));
end NonsmoothInput;
