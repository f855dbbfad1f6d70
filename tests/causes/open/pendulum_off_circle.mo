// cause: inconsistent_start
// culprits: x, y, L
// time: 0
// why: x = 1 and y = -1 are both fixed, so x^2 + y^2 = 2, but the rod has the length 1; dropping one `fixed` cures
//     it.
model PendulumOffCircle "a pendulum whose start was typed in by hand"
  parameter Real m = 1.5, L = 1, g = 9.81, d = 0.05;
  Real x(start = 1, fixed = true), y(start = -1, fixed = true);
  Real vx, vy, F, phi, energy;
equation
  der(x) = vx;
  der(y) = vy;
  m*der(vx) = -F*x/L - d*vx;
  m*der(vy) = -F*y/L - m*g - d*vy;
  x^2 + y^2 = L^2;
  phi = atan2(x, -y);
  energy = 0.5*m*(vx^2 + vy^2) + m*g*y;
  annotation(experiment(StopTime = 5));
end PendulumOffCircle;
