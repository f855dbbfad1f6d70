// rule: at the start a relation of equal operands is not contradicted if another mode is a start
// At t = 0 nothing drives the parameter s if the diode blocks, but s < 0 is false for s = 0.  It conducts,
// and the derivative of the source tells the current.
// run solve
// run solve --method bdf
// run solve --method radau
// run solve -p leak=0.1
// expect off(0) = false
// expect i(0) = 5
// expect s(0) = 5
// expect vC(1) = 4.207354924039483
model StartRelationAtEquality
  parameter Real leak = 1;
  Real vs, vC(start = 0, fixed = true), u, i, s;
  Boolean off;
equation
  vs = 5*sin(time);
  vs - u = vC;
  off = s < 0;
  u = s*(if off then 1 else 0);
  i = s*(if off then 0 else 1);
  der(vC) = i - leak*vC;
  annotation(experiment(StopTime = 1));
end StartRelationAtEquality;
