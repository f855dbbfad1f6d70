// cause: redundant_equations | no_solution
// culprits: th1, th2, th3, th4
// why: the power balances of all four buses are written, none of them is the slack bus. The left-hand sides add up to
//     zero, the injections to 0.1: the fourth balance contradicts the sum of the other three. (The angles are not
//     determined either, but with this contradiction no angles exist at all.)
model DcLoadFlowUnbalanced "linear load flow of a ring of four buses with a diagonal"
  parameter Real P1 = 0.9, P2 = -0.4, P3 = -0.3, P4 = -0.1;
  parameter Real b12 = 10, b23 = 8, b34 = 12.5, b41 = 5, b13 = 4;
  Real th1, th2, th3, th4, flow12, f(start = 50, fixed = true);
equation
  P1 = b12*(th1 - th2) + b13*(th1 - th3) + b41*(th1 - th4);
  P2 = b12*(th2 - th1) + b23*(th2 - th3);
  P3 = b23*(th3 - th2) + b13*(th3 - th1) + b34*(th3 - th4);
  P4 = b34*(th4 - th3) + b41*(th4 - th1);
  flow12 = b12*(th1 - th2);
  der(f) = 0.1*(50 - f);
  annotation(experiment(StopTime = 10));
end DcLoadFlowUnbalanced;
