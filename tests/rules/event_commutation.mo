// rule: several relations that must change at one instant are found, though the modes between are singular: the
// current of a bridge of ideal diodes changes over where the source passes zero
// iL' = (|vs| - iL)/0.8
// expect is(1.3) = -4.65825 +- 1e-4
// expect iL(1.3) = 4.65825 +- 1e-4
// expect iL(2.4) = 5.61882 +- 1e-4
// expect is(3.7) = -6.87726 +- 1e-4
model EventCommutation
  Real va, vb, vp, vs, is, iL(start = 0.5, fixed = true);
  Real u[4], i[4], s[4](start = {1, -1, -1, 1});
equation
  vs = 10*sin(3*time + 0.2);
  va - vb = vs;
  u = {va - vp, vb - vp, -va, -vb};
  for k in 1:4 loop
    u[k] = if s[k] < 0 then s[k] else 0;
    i[k] = if s[k] < 0 then 0 else s[k];
  end for;
  is = i[1] - i[3];
  -is = i[2] - i[4];
  i[1] + i[2] = iL;
  0.8*der(iL) = vp - iL;
  annotation(experiment(StopTime = 4));
end EventCommutation;
