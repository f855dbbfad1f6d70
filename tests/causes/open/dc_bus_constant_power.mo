// cause: impasse
// culprits: vBus, iBus, vLine, iLine, P
// time: 3.04 +- 5e-3
// why: vBus^2 - E vBus + Rl P = 0 has a real root while P <= E^2/(4 Rl) = 1152 W; P = 1000 + 50 t.
model DcBusConstantPower "DC grid: battery, line, converter of constant power, motor and its heat; the converter asks for too much"
  parameter Real E = 48, Rl = 0.5, kT = 0.1, J = 0.05, d = 0.02, Rm = 0.4, Lm = 1e-3, Cth = 50, Gth = 2, Cf = 1e-3, Rf = 1;
  Real vBus(start = 40), iBus(start = 20), P, iLine, vLine, pLoss, soc(start = 1, fixed = true);
  Real um, im(start = 0, fixed = true), w(start = 0, fixed = true), tau, tauLoad, emf;
  Real Tm(start = 25, fixed = true), Tl(start = 25, fixed = true), vf(start = 48, fixed = true), iF, eff;
equation
  P = 1000 + 50*time;
  vBus*iBus = P;
  iLine = iBus;
  vLine = Rl*iLine;
  vBus = E - vLine;
  pLoss = vLine*iLine;
  der(soc) = -iLine/36000;
  um = 12;
  Lm*der(im) = um - Rm*im - emf;
  emf = kT*w;
  tau = kT*im;
  tauLoad = 0.1 + 0.001*w;
  J*der(w) = tau - tauLoad - d*w;
  Cth*der(Tm) = Rm*im^2 - Gth*(Tm - 25);
  Cth*der(Tl) = 0.01*pLoss - Gth*(Tl - 25);
  iF = (vBus - vf)/Rf;
  Cf*der(vf) = iF;
  eff = P/(P + pLoss);
  annotation(experiment(StopTime = 5));
end DcBusConstantPower;
