// rule: after reinit a relation has no band: v > 0.3 is false where v has become 0.3, and can become true again
// x grows with v = 0.3 to x = 0.3, slips back and is caught by the belt; each slip is counted
// expect v(0.9) = 0.3
// expect v(1+) = 0.3
// expect slip(1.1) = true
// expect n(0.9) = 0
// expect n(4) = 2
// expect n(12) = 5
// expect v(3) = 0.3
model EventBandAfterReinit
  Real x(start = 0, fixed = true), v(start = 0.3, fixed = true);
  Boolean slip(start = false, fixed = true);
  Integer n(start = 0, fixed = true);
equation
  der(x) = v;
  der(v) = if slip then -8*x + 1.6 else 0;
  when not pre(slip) and 8*x > 2.4 then
    slip = true;
  elsewhen pre(slip) and v > 0.3 then
    slip = false;
    reinit(v, 0.3);
  end when;
  when slip then
    n = pre(n) + 1;
  end when;
  annotation(experiment(StopTime = 12));
end EventBandAfterReinit;
