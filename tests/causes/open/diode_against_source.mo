// cause: contradiction | no_solution
// culprits: s, off, iD, vD
// time: 1 +- 1e-3
// why: a current source drives 1 - t through an ideal diode: from t = 1 the current is negative, which the diode does
//     not conduct, and an open diode would need the current zero.
model DiodeAgainstSource "ideal diode in series with a current source"
  parameter Real R = 10, C = 1e-3;
  Real is, iD, vD, s(start = 1), vR, vC(start = 0, fixed = true);
  Boolean off;
equation
  is = 1 - time;
  iD = is;
  off = s < 0;
  vD = if off then s else 0;
  iD = if off then 0 else s;
  vR = R*iD;
  C*der(vC) = iD - vC/100;
  annotation(experiment(StopTime = 2));
end DiodeAgainstSource;
