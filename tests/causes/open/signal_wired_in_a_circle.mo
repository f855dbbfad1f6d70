// cause: undetermined_variable | redundant_equations
// culprits: u, y, w
// why: the three wires u = y, y = w, w = u say the same thing twice; nothing sets the value. The controller that should be
//     between two of them is missing.
model SignalWiredInACircle "blocks connected without a source"
  Real u, y, w, x(start = 1, fixed = true);
equation
  u = y;
  y = w;
  w = u;
  der(x) = u - x;
  annotation(experiment(StopTime = 5));
end SignalWiredInACircle;
