// cause: none
// expect: x(10) = 0.00699917584 +- 1e-3; v(10) = 0.03680126 +- 2e-3
// run: --rtol 1e-8
// why: the friction model of bristles sticks and slides twelve times without a switch, with rates up to 1e4 and a corner at v = 0.
//     LSODA, Radau and Dormand and Prince agree to nine digits.
model HealthyTableWithBristles "machine table with LuGre friction"
  parameter Real s0 = 1e4, s1 = 20, s2 = 0.4;
  Real x(start = 0, fixed = true), v(start = 0, fixed = true), z(start = 0, fixed = true, nominal = 1e-4), g, F;
equation
  g = 1 + 0.5*exp(-(v/0.05)^2);
  der(x) = v;
  der(z) = v - abs(v)*s0*z/g;
  F = s0*z + s1*der(z) + s2*v;
  der(v) = 2*sin(2*time) - F;
  annotation(experiment(StopTime = 10));
end HealthyTableWithBristles;
