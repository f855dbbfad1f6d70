// rule: a connector with a condition takes its connections and modifiers with it
// expect a.t(0) = 300
// expect b.t(0) = 350
// expect b.q(0) = 50
connector Port
  Real T;
  flow Real Q;
end Port;
model R
  parameter Boolean useHeat = false;
  parameter Real T = 300;
  Port heat(T = t, Q = -qq) if useHeat;
  Real t, qq;
  Real q = qq;
equation
  if not useHeat then
    t = T;
  end if;
  qq = t - 300;
end R;
model Fixed
  parameter Real T = 350;
  Port p;
equation
  p.T = T;
end Fixed;
model Top
  R a, b(useHeat = true);
  Fixed f if b.useHeat;
  Fixed g(T = 1) if false;
equation
  connect(f.p, b.heat);
  connect(g.p, b.heat);
end Top;
