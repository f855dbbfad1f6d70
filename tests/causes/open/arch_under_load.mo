// cause: impasse | branch_jump
// culprits: z
// time: 2 +- 2e-3
// why: 3 z - z^3 = P; the load P = t passes the limit load 2 at z = 1. A far solution z = -2 exists and is not a
//     continuation.
model ArchUnderLoad "shallow arch, load rises slowly until it snaps through"
  Real P, z(start = 0), work(start = 0, fixed = true), stiffness, margin;
equation
  P = time;
  3*z - z^3 = P;
  der(work) = P*z;
  stiffness = 3 - 3*z^2;
  margin = 2 - P;
  annotation(experiment(StopTime = 3));
end ArchUnderLoad;
