// rule: where the default start value of zero is no usable guess, others are tried
// expect g(0) = 1e-3
// expect i(0) = 0.4
model StartLeavesZero
  Real r, g, i, plus, minus;
equation
  r = 1000;
  r = 1/g;
  plus = 5 + 0.5*i - 0.2;
  minus = 0.5*i - 0.2;
  i = 2/(plus - minus);
  annotation(experiment(StopTime = 1));
end StartLeavesZero;
