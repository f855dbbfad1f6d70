// rule: the mode at the start is searched where the guesses lead to equations without a solution: all six diodes of
// the bridge block by their guesses; one of each side conducts
// iL' = (max(v) - min(v) - 2 iL)/0.3
// expect iL(0) = 0
// expect vp(0) = 10*sin(0.3 + 2*pi/3)
// expect vn(0) = 10*sin(0.3 - 2*pi/3)
// expect ip[3](0.2) = 0
// expect is_positive(0.5) = true
model StartModeBridge
  constant Real pi = 3.141592653589793;
  Real v[3], vp, vn, iL(start = 0, fixed = true);
  Real sp[3](each start = -1), sn[3](each start = -1), ip[3], im[3];
  Boolean is_positive = iL > 0;
equation
  for k in 1:3 loop
    v[k] = 10*sin(2*pi*time + 0.3 - 2*pi*(k - 1)/3);
    v[k] - vp = if sp[k] < 0 then sp[k] else 0;
    ip[k] = if sp[k] < 0 then 0 else sp[k];
    vn - v[k] = if sn[k] < 0 then sn[k] else 0;
    im[k] = if sn[k] < 0 then 0 else sn[k];
  end for;
  sum(ip) = iL;
  sum(im) = iL;
  0.3*der(iL) = vp - vn - 2*iL;
  annotation(experiment(StopTime = 1));
end StartModeBridge;
