// cause: branch_jump | impasse
// or: c(2.5) = 4 +- 1e-3
// culprits: b, c
// time: 1.6415927 +- 1e-2
// why: crank 1, coupler 2, rocker 1, ground 2: at phi = 1.5 + t = pi all links lie on one line, and the parallelogram
//     (b = 0, c = phi) and the crossed linkage meet.
model ParallelLinkageFlat "wheels of a locomotive with one rod"
  parameter Real r = 1, L = 2;
  Real phi(start = 1.5, fixed = true), b(start = 0), c(start = 1.5), xm, ym;
equation
  der(phi) = 1;
  r*cos(phi) + L*cos(b) = L + r*cos(c);
  r*sin(phi) + L*sin(b) = r*sin(c);
  xm = r*cos(phi) + 0.5*L*cos(b);
  ym = r*sin(phi) + 0.5*L*sin(b);
  annotation(experiment(StartTime = 0, StopTime = 2.5));
end ParallelLinkageFlat;
