// cause: text
// culprits: Resistor, Capacitor, R1, C1, connect
// why: a flat model has no components that are models, and no connections; these types are not known.
model PartsFromALibrary "RC element as in a course on object-oriented modelling"
  Resistor R1(R = 100);
  Capacitor C1(C = 1e-6);
  Real v(start = 0, fixed = true);
equation
  connect(R1.n, C1.p);
  v = C1.v;
  annotation(experiment(StopTime = 0.01));
end PartsFromALibrary;
