// cause: tolerance_too_small
// culprits: rtol, wx, wy, wz
// why: rtol = 1e-18 is below the roundoff of double precision, 2.2e-16.
// run: --rtol 1e-18 --atol 1e-30
model GyroscopeWithAllDigits "torque-free rigid body"
  parameter Real A = 1, B = 2, C = 3;
  Real wx(start = 0.1, fixed = true), wy(start = 10, fixed = true), wz(start = 0.1, fixed = true), H2;
equation
  A*der(wx) = (B - C)*wy*wz;
  B*der(wy) = (C - A)*wz*wx;
  C*der(wz) = (A - B)*wx*wy;
  H2 = (A*wx)^2 + (B*wy)^2 + (C*wz)^2;
  annotation(experiment(StopTime = 2));
end GyroscopeWithAllDigits;
