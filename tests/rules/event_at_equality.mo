// rule: currents of zero change their signs by errors only; a mode that contradicts them by less than that is taken
// run solve --method rodas --rtol 1e-8
// run solve --method rodas
// run solve --method limex --rtol 1e-8
// run solve --method auto --rtol 1e-8
// expect i1(1.5e-5) = 0.596628622 +- 1e-5
// expect v1(1.5e-5) = 0.321257404 +- 1e-5
// expect v2(1.5e-5) = 0 +- 1e-5
// expect i1(9.7e-5) = 3.16504637 +- 1e-5
// expect v1(9.7e-5) = 10.302702 +- 1e-5
// expect v2(9.7e-5) = 0.528021673 +- 1e-5
// expect i1(2e-4) = 3.1816482 +- 1e-5
// expect v1(2e-4) = 28.4815168 +- 1e-5
// expect v2(2e-4) = 6.62497352 +- 1e-5
model Cuk "inverting converter, at first without any current in the second loop"
  parameter Real Vin = 12, L1 = 3e-4, L2 = 3e-4, C1 = 1e-5, C2 = 2e-5, R = 300, T = 2e-5, D = 0.4;
  Real i1(start = 0, fixed = true), i2(start = 0, fixed = true), v1(start = 0, fixed = true), v2(start = 0, fixed = true);
  Real vA, vB, iS, iD, s;
  Boolean on;
  discrete Real tk(start = 0, fixed = true);
equation
  when sample(0, T) then
    tk = time;
  end when;
  on = time < tk + D*T;
  L1*der(i1) = Vin - vA;
  L2*der(i2) = -vB - v2;
  vA - vB = v1;
  C1*der(v1) = i1 - iS;
  C2*der(v2) = i2 - v2/R;
  i1 + i2 = iS + iD;
  if on then
    vA = 0;
  else
    iS = 0;
  end if;
  iD = if s > 0 then s else 0;
  vB = if s > 0 then 0 else s;
  annotation(experiment(StopTime = 2e-4));
end Cuk;
