# tolerance: 1e-6
cat > pendulum.mo <<'END'
model Pendulum
  Real x(start = 0.6), y(start = -0.8), vx(start = 1), vy;
  Real lam;
equation
  der(x) = vx;
  der(y) = vy;
  der(vx) = -lam*x;
  der(vy) = -lam*y - 9.81;
  x^2 + y^2 = 1;
end Pendulum;
END
daedal init pendulum.mo
daedal init pendulum.mo -y x=0.7 --json
