// cause: bad_scaling
// or: x(1e-4) = -8.390715290764524e-13 +- 1e-14
// culprits: x
// why: the displacement is 1e-12 m and the default absolute tolerance 1e-9: no error of x is ever seen. x = 1e-12
//     cos(1e5 t), at 1e-4 s 1e-12 cos(10).
model CantileverNanometres "thermal motion of a cantilever in SI units, without nominal"
  parameter Real w = 1e5, Q = 1e12;
  Real x(start = 1e-12, fixed = true), v(start = 0, fixed = true), a;
equation
  der(x) = v;
  der(v) = a;
  a = -w^2*x;
  annotation(experiment(StopTime = 1e-4));
end CantileverNanometres;
