// cause: domain_error
// culprits: c, mu
// time: 2 +- 1e-3
// why: a reaction of zero order uses up c = 1 - 0.5 t, gone at t = 2; the logarithm of a negative concentration
//     follows.
model PotentialOfNothing "electrode potential of a species that is consumed at a constant rate"
  parameter Real k0 = 0.5, RT = 2.479;
  Real c(start = 1, fixed = true), p(start = 0, fixed = true), mu, work(start = 0, fixed = true);
equation
  der(c) = -k0;
  der(p) = k0;
  mu = RT*log(c);
  der(work) = k0*mu;
  annotation(experiment(StopTime = 4));
end PotentialOfNothing;
