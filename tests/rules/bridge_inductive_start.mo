// rule: a bridge of ideal diodes starts without current in the mode that its source asks for
// The parameters of the diodes that conduct are zero up to rounding then.
// run solve
// run solve -p up=0.5
// run solve -p up=2
// run solve -p up=4
// run solve -p up=5
// expect iL(0) = 0
// expect gap(0) = 0
// expect gap(0.5) = 0
// expect gap(3) = 0
model BridgeInductiveStart
  parameter Real up = 1.54, R = 2, L = 0.6;
  Real vs, vp, vn, iL(start = 0, fixed = true), i0, i1, i2, i3, s0, s1, s2, s3, gap;
equation
  vs = 5.19*sin(0.8*time + up);
  vs - vp = if not s0 >= 0 then s0 else 0;
  i0 = if not s0 >= 0 then 0 else s0;
  -vp = if not s1 >= 0 then s1 else 0;
  i1 = if not s1 >= 0 then 0 else s1;
  vn - vs = if not s2 >= 0 then s2 else 0;
  i2 = if not s2 >= 0 then 0 else s2;
  vn = if not s3 >= 0 then s3 else 0;
  i3 = if not s3 >= 0 then 0 else s3;
  i0 + i1 = iL;
  i2 + i3 = iL;
  L*der(iL) = vp - vn - R*iL;
  gap = vp - vn - noEvent(abs(vs));
  annotation(experiment(StopTime = 3));
end BridgeInductiveStart;
