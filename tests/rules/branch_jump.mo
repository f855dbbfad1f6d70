// rule: a step that jumps to another branch is detected, and repeated with smaller steps
// The branches z = -sqrt((t-1)^2 + 1e-6) and +sqrt(..) come near each other at t = 1.
// run solve --rtol 1e-3
// expect warning 'jumped to another branch, over a point where equation "z^2 = (time - 1)^2 + 1e-6" (line 10) does not determine z; the run is repeated from there with rtol = '
// expect z(2) = -1.0000005 +- 1e-4
model BranchJump
  Real x(start = 0, fixed = true), z(start = -1);
equation
  der(x) = z;
  z^2 = (time - 1)^2 + 1e-6;
  annotation(experiment(StopTime = 2));
end BranchJump;
