// cause: redundant_equations | no_solution
// culprits: q1, q2, Q, M
// time: 0
// why: both liquids have the density 1000, so that the mass flow is 1000 times the volume flow 12; but 11000 is
//     demanded: the equations depend on each other and contradict each other.
model BlendByMassAndVolume "two streams, blended to a given flow by volume and a given flow by mass"
  parameter Real rho1 = 1000, rho2 = 1000, Q = 12, M = 11000, c1 = 0.2, c2 = 0.05;
  Real q1(start = 6), q2(start = 6), c, n(start = 0, fixed = true);
equation
  q1 + q2 = Q;
  rho1*q1 + rho2*q2 = M;
  c = (c1*q1 + c2*q2)/Q;
  der(n) = Q*(c - 0.01*n);
  annotation(experiment(StopTime = 5));
end BlendByMassAndVolume;
