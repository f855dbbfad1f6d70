// cause: none
// expect: x(4) = 0.06939824056 +- 1e-4; y(4) = 5.571810186 +- 2e-4
// why: a skate that can move along its blade only, turning with constant speed w on a slope with acceleration a: the speed along
//     the blade is a/w sin(w t), so x = a/(2 w^2) sin(w t)^2, y = a/(2 w) (t - sin(2 w t)/(2 w)). It never leaves x <= a/(2 w^2).
model HealthySkateOnASlope "nonholonomic constraint, index 2"
  parameter Real a = 4, w0 = 1.5;
  Real x(start = 0, fixed = true), y(start = 0, fixed = true), phi(start = 0, fixed = true), u(start = 0, fixed = true), v(start = 0),
    w(start = w0, fixed = true), side;
equation
  der(x) = u;
  der(y) = v;
  der(phi) = w;
  der(w) = 0;
  der(u) = a + side*sin(phi);
  der(v) = -side*cos(phi);
  u*sin(phi) - v*cos(phi) = 0;
  annotation(experiment(StopTime = 4));
end HealthySkateOnASlope;
