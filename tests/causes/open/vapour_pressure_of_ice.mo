// cause: domain_error
// culprits: T, p
// time: 1.791759469 +- 1e-3
// why: the correlation uses (T - 250)^1.5 and T = 240 + 60 exp(-t) falls below 250 at t = ln 6. Nothing else depends
//     on T's sign, so T goes on to fall.
model VapourPressureOfIce "flash drum with a property correlation outside its range, inside a larger model"
  parameter Real a = 0.3, Tc = 240, C = 10, V = 3, R = 8.314;
  Real T(start = 300, fixed = true), p, n(start = 1, fixed = true), y, f, q, m1(start = 2, fixed = true), m2(start = 1, fixed = true), x1, x2, flow12;
equation
  der(T) = -(T - Tc);
  p = a*(T - 250)^1.5;
  der(n) = -f;
  f = 0.01*n;
  y = n*R*T/V;
  q = C*(T - Tc);
  flow12 = 0.2*(m1 - m2);
  der(m1) = -flow12;
  der(m2) = flow12 + 1e-4*p;
  x1 = m1/(m1 + m2);
  x2 = 1 - x1;
  annotation(experiment(StopTime = 4));
end VapourPressureOfIce;
