# tolerance: 1e-6
cat > m.mo <<'END'
model M
  Real x(start = 1, fixed = true), y(start = 5), z(start = 2);
equation
  der(x) = -x;
  y = 2*x;
  z^2 = 2 + x + y - 1;
end M;
END
daedal init m.mo
daedal init m.mo --json
# An impulse of the force takes away the velocity across the rod.
cat > rod.mo <<'END'
model Rod
  Real x(start = 0.6), y(start = -0.8), u(start = 1), v(start = 1), F;
equation
  der(x) = u;
  der(y) = v;
  der(u) = -F*x;
  der(v) = -F*y - 9.81;
  x^2 + y^2 = 1;
end Rod;
END
daedal init rod.mo
daedal init rod.mo --json | grep -A2 impulses
