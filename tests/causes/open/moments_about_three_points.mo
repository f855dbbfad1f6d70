// cause: redundant_equations | no_solution
// culprits: RA, RB, RC
// why: the sum of the moments about the middle is half the sum of those about the ends: three points on a line give two
//     equations. As the arm of the load was written as 1.2 m instead of 1 m in the third, they contradict each other too.
model MomentsAboutThreePoints "beam of 4 m on three supports at 0, 4 and 3 m, load at 1 m"
  Real RA(start = 50), RB(start = 10), RC(start = 10), W, q(start = 0, fixed = true);
equation
  W = 100 + 10*sin(time);
  4*RB + 3*RC = 1*W "about the left end";
  4*RA + 1*RC = 3*W "about the right end";
  2*RA - 2*RB - RC = 1.2*W "about the middle";
  der(q) = 1e-3*RA - q;
  annotation(experiment(StopTime = 10));
end MomentsAboutThreePoints;
