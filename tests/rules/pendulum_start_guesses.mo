// rule: start values that are guesses move onto the constraint and its derivative
// expect x(0) = 0.7227132206
// expect y(0) = -0.6911480310
// expect vx(0) = 0.4776856008
// expect vy(0) = 0.4995018194
model PendulumStartGuesses
  Real x(start = 1.2), y(start = -0.9), vx(start = 1), vy(start = 0);
  Real lam;
equation
  der(x) = vx;
  der(y) = vy;
  der(vx) = -lam*x;
  der(vy) = -lam*y - 9.81;
  x^2 + y^2 = 1;
  annotation(experiment(StopTime = 0.1));
end PendulumStartGuesses;
