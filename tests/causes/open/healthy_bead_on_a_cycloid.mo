// cause: none
// expect: s(7) = -1.105662032 +- 1e-4
// why: along the cycloid x = a (th + sin th), y = -a (1 + cos th) the arc s = 4 a sin(th/2) swings as s0 cos(sqrt(g/(4a)) t), whatever
//     the amplitude.
model HealthyBeadOnACycloid "index 3, on a parametrised curve"
  parameter Real a = 0.5, g = 9.81;
  Real x, y, vx, vy, fx, fy, th(start = 1.2, fixed = true), s;
equation
  x = a*(th + sin(th));
  y = -a*(1 + cos(th));
  der(x) = vx;
  der(y) = vy;
  der(vx) = fx;
  der(vy) = fy - g;
  fx*(1 + cos(th)) + fy*sin(th) = 0;
  s = 4*a*sin(th/2);
initial equation
  vx = 0;
  annotation(experiment(StopTime = 7));
end HealthyBeadOnACycloid;
