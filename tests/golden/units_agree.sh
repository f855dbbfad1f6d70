cat > m.mo <<'END'
model UnitsAgree "units that agree, or of which some are not declared: no warning"
  Real x(start = 0, fixed = true, unit = "m", min = 0), v(unit = "m/s"), y, p(unit = "W"), q(unit = "V.A"), u(unit = "mV");
  parameter Real F(unit = "N") = 2, R(unit = "Ohm") = 3, i(unit = "A") = 4, tau(unit = "N.m/rad") = 1, J(unit = "J") = 1;
  Real w(unit = "rad/s") = 2, h(unit = "Hz"), T(unit = "degC") = 20, K(unit = "K"), s(unit = "kg.m2/(s3.A)");
  Real c(unit = "mol/l", start = 1, fixed = true), r(unit = "mol/(l.min)");
equation
  der(x) = v;
  v = 1;
  y = x + 3;
  p = F*v + tau*w - J*w;
  q = R*i^2;
  u = 1000*y;
  h = w;
  K = T + 273.15;
  s = noEvent(max(R*i, q/i));
  der(c) = -r;
  r = 0;
end UnitsAgree;
END
daedal solve m.mo -t 1 -n 1 --vars h
