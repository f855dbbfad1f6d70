// rule: at a reinit it does not matter in which order the variables are declared of which one is a function of others
// expect x(0.5+) = 1.5
// expect E(0.5-) = 3
// expect E(0.5+) = 7.5
// expect J(0.5+) = 1
// expect J(1) = 3.5
// expect vx(0.5+) = 2*cos(1)
// expect w(0.5+) = 2
model ReinitFunctionOfLast
  Real ax, vx, px, E, J(start = 0, fixed = true), w(start = 1, fixed = true);
  Real phi(start = 0.5, fixed = true), b(start = 2, fixed = true), x(start = 1, fixed = true);
equation
  der(x) = 1;
  der(b) = 0;
  E = x*b;
  der(J) = der(E);
  der(phi) = w;
  der(w) = 0;
  px = sin(phi);
  vx = der(px);
  ax = der(vx);
  when time > 0.5 then
    reinit(b, 5);
    reinit(w, 2);
  end when;
  annotation(experiment(StopTime = 1));
end ReinitFunctionOfLast;
