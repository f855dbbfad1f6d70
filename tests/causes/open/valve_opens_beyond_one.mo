// cause: bounds
// culprits: u
// time: 2.5 +- 1e-2
// why: u = 0.4 t exceeds its declared maximum 1 at t = 2.5.
model ValveOpensBeyondOne
  Real u(min = 0, max = 1), q, h(start = 0, fixed = true), e;
equation
  u = 0.4*time;
  q = 2*u - 0.5*h;
  der(h) = q;
  e = 1 - h;
  annotation(experiment(StopTime = 4));
end ValveOpensBeyondOne;
