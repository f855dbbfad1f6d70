// Four diodes in a ring mix a low and a high frequency.  The tiny capacitance Cs makes it fast:
// some thousand steps for a millisecond.
// reference: y1 = -0.023390573584371598 at t = 0.001, tolerance 1e-2
// from: Test Set for IVP Solvers, recomputed with 20 digits
model RingModulator "ring modulator: two frequencies mixed by four diodes"
  constant Real pi = 3.141592653589793;
  parameter Real C = 1.6e-8, Cs = 2e-12, Cp = 1e-8;
  parameter Real R = 25000, Rp = 50, Rg1 = 36.3, Rg2 = 17.3, Rg3 = 17.3, Ri = 50, Rc = 600;
  parameter Real Lh = 4.45, Ls1 = 0.002, Ls2 = 0.0005, Ls3 = 0.0005;
  parameter Real gamma = 4.067286402e-8, delta = 17.7493332;
  Real y1 "the output", y2, y3, y4, y5, y6, y7 "voltages";
  Real y8, y9, y10, y11, y12, y13, y14, y15 "currents";
  Real Uin1, Uin2 "the two signals";
  Real U1, U2, U3, U4, q1, q2, q3, q4 "the diodes";
equation
  Uin1 = 0.5*sin(2000*pi*time);
  Uin2 = 2*sin(20000*pi*time);
  U1 = y3 - y5 - y7 - Uin2;
  U2 = -y4 + y6 - y7 - Uin2;
  U3 = y4 + y5 + y7 + Uin2;
  U4 = -y3 - y6 + y7 + Uin2;
  q1 = gamma*(exp(delta*U1) - 1);
  q2 = gamma*(exp(delta*U2) - 1);
  q3 = gamma*(exp(delta*U3) - 1);
  q4 = gamma*(exp(delta*U4) - 1);
  der(y1) = (y8 - 0.5*y10 + 0.5*y11 + y14 - y1/R)/C;
  der(y2) = (y9 - 0.5*y12 + 0.5*y13 + y15 - y2/R)/C;
  Cs*der(y3) = y10 - q1 + q4;
  Cs*der(y4) = -y11 + q2 - q3;
  Cs*der(y5) = y12 + q1 - q3;
  Cs*der(y6) = -y13 - q2 + q4;
  der(y7) = (-y7/Rp + q1 + q2 - q3 - q4)/Cp;
  der(y8) = -y1/Lh;
  der(y9) = -y2/Lh;
  der(y10) = (0.5*y1 - y3 - Rg2*y10)/Ls2;
  der(y11) = (-0.5*y1 + y4 - Rg3*y11)/Ls3;
  der(y12) = (0.5*y2 - y5 - Rg2*y12)/Ls2;
  der(y13) = (-0.5*y2 + y6 - Rg3*y13)/Ls3;
  der(y14) = (-y1 + Uin1 - (Ri + Rg1)*y14)/Ls1;
  der(y15) = (-y2 - (Rc + Rg1)*y15)/Ls1;
  annotation(experiment(StopTime = 0.001));
end RingModulator;
