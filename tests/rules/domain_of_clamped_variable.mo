// rule: a root of a variable that is limited by noEvent() has a value in every step
// expect h(0.3) = 1 - 0.5*9.81*0.3**2 +- 1e-5
// expect energy(3) = 9.81 +- 2e-3
// expect other(3) = 9.81 +- 2e-3
// run solve
// run solve --method radau
model DomainOfClampedVariable
  Real h(start = 1, fixed = true), v(start = 0, fixed = true), depth, force;
  Real energy = 0.5*v^2 + 9.81*h + 400/3*depth^1.5;
  Real s(start = 1, fixed = true), r(start = 0, fixed = true), d, e;
  Real other = 0.5*r^2 + 9.81*s + 400/3*sqrt(2)*d^1.5;
equation
  depth = noEvent(if h < 0 then -h else 0);
  force = 200*sqrt(depth);
  der(h) = v;
  der(v) = -9.81 + force;
  d = noEvent(max(0, -s));
  e = 2*d;
  der(s) = r;
  der(r) = -9.81 + 200*sqrt(e);
  annotation(experiment(StopTime = 3));
end DomainOfClampedVariable;
