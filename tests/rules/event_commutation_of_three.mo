// rule: a current changes over from one ideal diode to the next where two sources are equal, though what the steps give between
// their ends says so a moment before or after the equations do
// run solve --method bdf
// run solve --method radau
// run solve --method rodas
// i' = (max(v) - min(v) - 2 i)/0.05
// expect i(0.0087) = 24.22358 +- 1e-3
// expect i(0.0221) = 48.44532 +- 1e-3
// expect i(0.04) = 66.00424 +- 1e-3
model EventCommutationOfThree
  parameter Real V = 100, R = 2, L = 0.05, w = 314.1592653589793, pi = 3.141592653589793;
  Real i(start = 0, fixed = true), v[3], vp, vn, ip[3], im[3], sp[3], sm[3];
equation
  for k in 1:3 loop
    v[k] = V*sin(w*time - 2*pi*(k - 1)/3);
    ip[k] = if sp[k] > 0 then sp[k] else 0;
    v[k] - vp = if sp[k] > 0 then 0 else sp[k];
    im[k] = if sm[k] > 0 then sm[k] else 0;
    vn - v[k] = if sm[k] > 0 then 0 else sm[k];
  end for;
  i = sum(ip);
  i = sum(im);
  L*der(i) = vp - vn - R*i;
  annotation(experiment(StopTime = 0.04));
end EventCommutationOfThree;
