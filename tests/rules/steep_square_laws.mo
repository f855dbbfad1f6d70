// rule: a flow through a square-law valve reverses: its slope is infinite at t = 1, and it goes on
// run solve
// run solve --method radau
// run solve --method limex
// expect q(3) = -sqrt(2) +- 1e-3
// expect V(1) = 2/3 +- 1e-3
// expect V(3) = 2/3 - 2/3*sqrt(8) +- 1e-3
// expect r(3) = -2**(1/3) +- 1e-3
// expect W(3) = 0.75 - 0.75*2**(4/3) +- 1e-3
// expect s(3) = -1 +- 1e-3
// expect p(3) = -1 +- 1e-3
// expect u(3) = -sqrt(2) +- 1e-3
model SteepSquareLaws
  Real h(start = 1, fixed = true), q(start = 1), V(start = 0, fixed = true) "driven by a state";
  Real r(start = 1), W(start = 0, fixed = true) "a cube";
  Real s(start = 1), s2(start = 1), p "two valves in series";
  Real u(start = 1) "with units of its own";
equation
  der(h) = -1;
  q*abs(q) = h;
  der(V) = q;
  r^3 = 1 - time;
  der(W) = r;
  s*abs(s) = (1 - time) - p;
  s2*abs(s2) = p;
  s = s2;
  1e6*u*abs(u) = 1e6*(1 - time);
  annotation(experiment(StopTime = 3));
end SteepSquareLaws;
