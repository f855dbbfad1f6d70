// rule: where one constraint takes the place of another, the charge of the capacitors that it joins is kept
// run solve
// run solve --method bdf
// run solve --method radau --rtol 1e-8
// expect v1(0.25) = 5
// expect v2(0.75) = 1
// expect v1(1.25) = 5
// expect v1(1.75) = 1.8
// expect v2(1.75) = 1.8
model EventImpulseBetweenConstraints "a capacitor is charged by a source and discharged into another one"
  Real v1, v2(start = 0, fixed = true), i, source;
  Boolean charging = mod(time, 1) < 0.5;
equation
  der(v1) = source - i;
  4*der(v2) = i;
  if charging then
    v1 = 5;
    i = 0;
  else
    v1 = v2;
    source = 0;
  end if;
  annotation(experiment(StopTime = 2));
end EventImpulseBetweenConstraints;
