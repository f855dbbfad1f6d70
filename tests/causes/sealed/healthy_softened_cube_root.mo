// cause: none
// expect: z(2.5) = 1.141802314 +- 1e-4; w(2.5) = 0.536251674 +- 1e-4
// why: z^3 + 0.01 z = t - 1 is monotonic, though its slope falls to 0.01 at t = 1; w = (3/4) z^4 + 0.005 z^2, less
//     its value at the start.
model HealthySoftenedCubeRoot "nearly a fold, passed with a slope of 100"
  Real x(start = -1, fixed = true), z(start = -1), w(start = 0, fixed = true);
equation
  der(x) = 1;
  z^3 + 0.01*z = x;
  der(w) = z;
  annotation(experiment(StopTime = 2.5));
end HealthySoftenedCubeRoot;
