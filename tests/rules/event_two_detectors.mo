// rule: a mode that the errors of the run explain goes before one in which states jump
// run solve --rtol 1e-8 --method auto
// run solve --rtol 1e-8 --method radau
// run solve --rtol 1e-8 --method limex
// expect vp(1) = 4.71962459 +- 1e-6
// expect vp(2) = 3.38175879 +- 1e-6
// expect vp(3) = 2.42313606 +- 1e-6
// expect vp(4) = 4.94679123 +- 1e-6
// expect vp(5) = 3.54519611 +- 1e-6
// expect vp(6) = 2.54024401 +- 1e-6
// expect vp(7) = 4.95303678 +- 1e-6
// expect vn(3) = -4.0904761 +- 1e-6
// expect vn(7) = -3.07260454 +- 1e-6
model TwoDetectors "positive and negative peak of one source, each with a diode straight onto its capacitor"
  Real vs = 5*sin(2*time), vp(start = 0, fixed = true), vn(start = 0, fixed = true), up, un, ip, in_n, sp, sn;
equation
  vs - up = vp;
  up = if sp < 0 then sp else 0;
  ip = if sp < 0 then 0 else sp;
  der(vp) = ip - vp/3;
  vs + un = vn;
  un = if sn < 0 then sn else 0;
  in_n = if sn < 0 then 0 else sn;
  der(vn) = -in_n - vn/3;
  annotation(experiment(StopTime = 7, Interval = 1));
end TwoDetectors;
