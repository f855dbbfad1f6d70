// rule: forms of numbers; an integer literal may stand for a Real; `3.*x` is 3. times x
// expect a(1) = 14.75
// expect b(1) = 6
// expect i(1) = 7
// expect c(1) = 0.0015
model Literals
  Real a = .5 + 1. + 1e1 + 2.5E-1 + 3;
  Real x = 2*time;
  Real b = 3.*x;
  Integer i = 007;
  Real c = 1.5e-3;
  annotation(experiment(StopTime = 1));
end Literals;
