// rule: a jump without an event at the time of an event, and guards that read discrete variables
// run solve
// run solve --method bdf
// run solve --method radau
// run solve --method rodas
// x crosses 0.5 at ln 2, where k counts and y begins; q lasts 2e-3 after every sample.
// expect k(4.5) = 1
// expect y(4.5) = 3.806852819 +- 1e-3
// expect q(4.5) = 10 +- 0.05
model PulsesBesideEvents
  Real x(start = 1, fixed = true), y(start = 0, fixed = true), q(start = 0, fixed = true);
  discrete Real last(start = 0, fixed = true);
  discrete Integer k(start = 0, fixed = true);
equation
  der(x) = -x;
  der(y) = noEvent(if x < 0.5 then 1 else 0);
  der(q) = noEvent(if time - last < 2e-3 then 1000 else 0);
  when x < 0.5 then
    k = pre(k) + 1;
  end when;
  when sample(1, 1) then
    last = time;
  end when;
  annotation(experiment(StopTime = 4.5, Tolerance = 1e-6));
end PulsesBesideEvents;
