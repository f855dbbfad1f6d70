// cause: none
// expect: phi(4) = 34.37022378 +- 2e-3; w(4) = 12.60033475 +- 2e-3; x(4) = 0.20117044 +- 2e-4
// why: index 3: crank, rod and slider as masses with a constraint, five revolutions through all dead centres. Runge-Kutta for
//     the equation of the angle alone, steps of 2e-4 and 1e-4, which agree to 1e-12.
model HealthySliderCrank "crank drive with the force of the rod"
  parameter Real r = 0.1, l = 0.3, m = 2, J = 0.05, T = 0.6, b = 0.05;
  Real phi(start = 0.5, fixed = true), w(start = 0, fixed = true), x(start = 0.38), v(start = 0), lam;
equation
  der(phi) = w;
  der(x) = v;
  J*der(w) = T - b*w - lam*2*x*r*sin(phi);
  m*der(v) = -lam*2*(x - r*cos(phi));
  (x - r*cos(phi))^2 + (r*sin(phi))^2 = l^2;
  annotation(experiment(StopTime = 4));
end HealthySliderCrank;
