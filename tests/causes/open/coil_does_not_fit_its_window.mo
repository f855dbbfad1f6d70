// cause: assertion
// culprits: n, wire, window
// time: 0
// why: 400 turns of 0.9 mm^2 need 360 mm^2 of the 300 of the window: the assertion fails at the start.
model CoilDoesNotFitItsWindow "choke with a check of its design"
  parameter Real n = 400, wire = 0.9e-6, window = 3e-4, R = 1.2, L = 0.05;
  Real i(start = 0, fixed = true);
equation
  assert(n*wire < window, "the winding does not fit into the window");
  L*der(i) = 12 - R*i;
  annotation(experiment(StopTime = 0.5));
end CoilDoesNotFitItsWindow;
