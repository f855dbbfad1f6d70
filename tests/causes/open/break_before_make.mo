// cause: event_iteration
// culprits: k1, k2
// time: 0
// why: each contactor closes if the other one was open, and opens if it was closed; both begin open, so both close in the first
//     pass, open in the next, and so on without end.
model BreakBeforeMake "two contactors that lock each other, symmetrically"
  Boolean k1(start = false, fixed = true), k2(start = false, fixed = true);
  Real i(start = 0, fixed = true);
equation
  k1 = not pre(k2);
  k2 = not pre(k1);
  der(i) = (if k1 then 12 else 0) - (if k2 then 3 else 0) - i;
  annotation(experiment(StopTime = 1));
end BreakBeforeMake;
