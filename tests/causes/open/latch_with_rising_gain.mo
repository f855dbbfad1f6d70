// cause: branch_jump | impasse
// culprits: v1, v2
// time: 2 +- 1e-2
// why: two inverters in a ring without capacitance: at the gain 1, t = 2, the balanced state meets the two latched ones, and which
//     of the three continues is not determined.
model LatchWithRisingGain "cross-coupled pair, supply is raised"
  Real g(start = 0.5, fixed = true), v1(start = 0), v2(start = 0), d(start = 0, fixed = true);
equation
  der(g) = 0.25;
  v1 = -tanh(g*v2);
  v2 = -tanh(g*v1);
  der(d) = v1 - v2 - d;
  annotation(experiment(StopTime = 4));
end LatchWithRisingGain;
