// cause: none
// expect: iL(0.00997) = 1.230083312 +- 2e-4; vC(0.00997) = 6.018213629 +- 2e-4
// why: a hundred periods of a step-down converter with ideal switch and ideal diode; the current of the coil stays above 1.0 A, so that the
//     diode conducts whenever the switch is open. Linear in each part: by exponentials of matrices.
model HealthyBuckConverter "ideal switch and ideal diode"
  parameter Real Vin = 12, L = 1e-3, C = 1e-4, R = 5, T = 1e-4, D = 0.5;
  Real iL(start = 1.05, fixed = true), vC(start = 6, fixed = true), vx, isw, id, vd, s;
  discrete Real t0(start = 0, fixed = true);
  Boolean on;
equation
  when sample(0, T) then
    t0 = time;
  end when;
  on = time < t0 + D*T;
  0 = if on then vx - Vin else isw;
  vd = -vx;
  vd = if s < 0 then s else 0;
  id = if s < 0 then 0 else s;
  iL = isw + id;
  L*der(iL) = vx - vC;
  C*der(vC) = iL - vC/R;
  annotation(experiment(StopTime = 0.00997));
end HealthyBuckConverter;
