// cause: blow_up
// culprits: s
// time: 0.5753641 +- 3e-3
// why: the slope of a pressure wave obeys s' = -s^2 - s/2 along its characteristic: 1/s = -2 + 1.5 exp(t/2) from s = -2, which is
//     zero at 2 ln(4/3), where a shock forms.
model PressureWaveSteepens "slope of a wave in a gas pipe with friction"
  Real s(start = -2, fixed = true), x(start = 0, fixed = true), a;
equation
  a = 340 + 0.1*s;
  der(s) = -s^2 - 0.5*s;
  der(x) = 1;
  annotation(experiment(StopTime = 1));
end PressureWaveSteepens;
