// cause: no_solution
// culprits: a, b
// time: 0
// why: crank and coupler reach at most 0.3 + 0.5 = 0.8 from the origin, the rocker's joint is never nearer than 2 -
//     0.6 = 1.4.
model FourBarDoesNotClose "lengths in m, but the ground link was written in other units"
  parameter Real crank = 0.3, coupler = 0.5, rocker = 0.6, ground = 2, w = 3;
  Real phi(start = 0.5, fixed = true), a(start = 0.4), b(start = 1.2), xc, yc;
equation
  der(phi) = w;
  crank*cos(phi) + coupler*cos(a) = ground + rocker*cos(b);
  crank*sin(phi) + coupler*sin(a) = rocker*sin(b);
  xc = crank*cos(phi) + 0.5*coupler*cos(a);
  yc = crank*sin(phi) + 0.5*coupler*sin(a);
  annotation(experiment(StopTime = 2));
end FourBarDoesNotClose;
