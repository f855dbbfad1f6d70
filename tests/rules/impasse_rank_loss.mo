// rule: where constraints lose rank, the run ends and names what is not determined
// A slider crank of two equal bars: upright, the constraints of its pin and its slider depend on each other.
// run solve --rtol 1e-8
// expect exit 1
// expect error 'impasse at t = 0.312'
// expect error 'the equations do not determine l2'
model ImpasseRankLoss
  Real a(start = 1, fixed = true), b(start = -1), w(start = 2, fixed = true), wb, x, vx, l1, l2;
equation
  der(a) = w;
  der(b) = wb;
  der(x) = vx;
  der(w) = -l1*sin(a) + l2*cos(a);
  der(wb) = -l1*sin(b) + l2*cos(b);
  der(vx) = -l1 - 0.2*vx;
  x = cos(a) + cos(b);
  0 = sin(a) + sin(b);
  annotation(experiment(StopTime = 6));
end ImpasseRankLoss;
