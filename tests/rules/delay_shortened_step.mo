// rule: the past of a delay is kept where an event shortens a step and changes no equation
// A random model: delays, a bridge of diodes and dry friction have nothing in common but their events.
// run solve --method radau --rtol 1e-8 -n 7
// expect end 2.59
model DelayShortenedStep
  parameter Real sb0 = 0.612;
  parameter Real sw0 = 0.669;
  parameter Real sp0 = 0.92;
  parameter Real c0 = 0.783;
  parameter Real b0 = 0.224;
  parameter Real w0 = 0.533;
  parameter Real t10 = 0.666;
  parameter Real up1 = 2.13;
  parameter Real R1 = 2.39;
  parameter Real L1 = 0.513;
  parameter Real J2 = 0.593;
  parameter Real Tw2 = 1.58;
  parameter Real Tp2 = 1.47;
  parameter Real w02 = 1.56;
  Real x0;
  Real y0;
  Real u0;
  Real v0;
  Real lag0;
  Real vs1;
  Real vp1;
  Real vn1;
  Real iL1(start = 0, fixed = true);
  Real i0d1;
  Real i1d1;
  Boolean off01;
  Real s11;
  Boolean off11;
  Real s21(start = -1);
  Boolean off21;
  Real s31(start = 1);
  Boolean off31;
  Real isrc1;
  Real w2(start = w02, fixed = true);
  Real a2;
  Real sa2;
  Real tau2;
  Real drive2;
  Real phi2(start = 0, fixed = true);
  Boolean sf2(start = false, fixed = true);
  Boolean sb2(start = false, fixed = true);
  Boolean locked2(start = false, fixed = true);
  Integer mode2(start = 1, fixed = true);
  Real pack[3](start = {0, 0, -1}, fixed = {false, false, false});
equation
  x0 = (sb0*sin(sw0*time + sp0));
  lag0 = c0 + b0*sin(w0*time);
  y0 = delay(x0, lag0, 2);
  u0 = (if time > t10 then 1 + x0 else 0);
  v0 = delay(u0, c0);
  (4.03*sin(1.84*time + up1)) = vs1;
  off01 = pack[3] < 0;
  vs1 - vp1 = pack[3]*(if off01 then 1 else 0);
  i0d1 = pack[3]*(if off01 then 0 else 1);
  off11 = s11 < 0;
  -vp1 = s11*(if off11 then 1 else 0);
  i1d1 - (s11*(if off11 then 0 else 1)) = 0;
  off21 = s21 < 0;
  vn1 - vs1 = (if off21 then s21 else 0);
  (if off21 then 0 else s21) = pack[1];
  s31 < 0 = off31;
  if off31 then
    vn1 = s31;
    pack[2] = 0;
  else
    vn1 = 0;
    pack[2] = s31;
  end if;
  i0d1 + i1d1 = iL1;
  iL1 = pack[1] + pack[2];
  i0d1 - pack[1] = isrc1;
  L1*der(iL1) = vp1 - vn1 - R1*iL1;
  (2.02*sin(Tw2*time + Tp2)) = drive2;
  der(phi2) = w2;
  der(w2) = a2;
  J2*a2 = drive2 - tau2;
  sf2 = pre(mode2) == 0 and (sa2 > 1.08 or pre(sf2) and sa2 > 1.08) or initial() and w2 > 0;
  sb2 = pre(mode2) == 0 and (sa2 < -1.08 or pre(sb2) and sa2 < -1.08) or initial() and w2 < 0;
  locked2 = not (pre(mode2) == 1 or pre(mode2) == -1 or sf2 or sb2);
  a2 = if locked2 then 0 else if sf2 then sa2 - 1.08 else if sb2 then sa2 + 1.08 else if pre(mode2) == 1 then sa2 - 1.08 else sa2 + 1.08;
  tau2 = if locked2 then sa2 else if sf2 then 1.08 else if sb2 then -1.08 else if pre(mode2) == 1 then 1.08 else -1.08;
  mode2 = if (pre(mode2) == 1 or sf2) and w2 > 0 then 1 else if (pre(mode2) == -1 or sb2) and w2 < 0 then -1 else 0;
  annotation(experiment(StopTime = 2.59));
end DelayShortenedStep;
