// cause: none
// expect: x(40.2) = 0.64 +- 1e-4; y(40.2) = 0.38 +- 1e-4; n(40.2) = 131 +- 0.1
// why: 0.3 + 1.7 t folded into [0, 1] and 0.2 + 1.1 t folded into [0, 0.7]: 68 and 63 impacts, none of them in a corner.
model HealthyBilliard "elastic impacts on four walls"
  Real x(start = 0.3, fixed = true), y(start = 0.2, fixed = true);
  Real u(start = 1.7, fixed = true), v(start = 1.1, fixed = true);
  Integer nx(start = 0, fixed = true), ny(start = 0, fixed = true), n;
equation
  der(x) = u;
  der(y) = v;
  der(u) = 0;
  der(v) = 0;
  when x > 1 then
    reinit(u, -abs(u));
    nx = pre(nx) + 1;
  elsewhen x < 0 then
    reinit(u, abs(u));
    nx = pre(nx) + 1;
  end when;
  when y > 0.7 then
    reinit(v, -abs(v));
    ny = pre(ny) + 1;
  elsewhen y < 0 then
    reinit(v, abs(v));
    ny = pre(ny) + 1;
  end when;
  n = nx + ny;
  annotation(experiment(StopTime = 40.2));
end HealthyBilliard;
