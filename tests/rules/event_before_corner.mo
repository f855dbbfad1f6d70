// rule: events in a step are found, also if the step ends at a corner right before an output point
// One-step methods begin again at the output point; the step is searched for events before.
// run solve --method radau
// run solve --method radau -p p=0.7
// run solve --method rodas
// run solve --method limex
// run solve --method limex -p p=0.7
// run solve --method dopri
// run solve --method bdf
// run solve --method limex -p distance=1e-14
// run solve --method radau -p distance=1e-14
// expect n(1) = 1
// expect b(1) = 0
// expect n(2) = 1
// expect b(2) = 0.5
model EventBeforeCorner
  parameter Real distance = 1e-10, p = 0.9, weight = 1e-9;
  Real t(start = 0, fixed = true), a(start = 0, fixed = true), b(start = 0, fixed = true);
  Integer n(start = 0, fixed = true);
equation
  der(t) = 1;
  der(a) = weight*noEvent(max(t - (1 - distance), 0));
  der(b) = if t > 1.5 then 1 else 0;
  when (t - p)^2 < 1e-6 then
    n = pre(n) + 1;
  end when;
  annotation(experiment(StopTime = 2));
end EventBeforeCorner;
