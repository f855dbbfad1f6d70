// rule: a current that passes zero does not tend to infinity
// Where the current of the inductor ends, the diode blocks; its rate relative to its size is large there.
// run solve --method bdf
// run solve --method bdf --rtol 1e-8
// run solve
// expect iL(1.3) = 0.9265469985693
// expect vC(1.3) = 2.521231401716
// expect iL(2.9) = 1.314964921162
// expect vC(2.9) = 2.928409551085
model ConverterRunsEmpty "step-down converter, ideal switch and diode"
  parameter Real Vin = 10, L = 0.8, C = 0.5, R = 2, T = 0.6, D = 0.3;
  Real iL(start = 0, fixed = true), vC(start = 7, fixed = true), vx, iD, iS, s;
  Boolean on, off;
  discrete Real t0(start = 0, fixed = true);
equation
  when time >= pre(t0) + T then
    t0 = pre(t0) + T;
  end when;
  on = time < t0 + D*T;
  if on then
    vx = Vin;
  else
    iS = 0;
  end if;
  off = not s >= 0;
  -vx = (if off then s else 0);
  iD = if off then 0 else s;
  iL = iS + iD;
  L*der(iL) = vx - vC;
  C*der(vC) = iL - vC/R;
  annotation(experiment(StopTime = 3));
end ConverterRunsEmpty;
