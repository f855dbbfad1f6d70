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
