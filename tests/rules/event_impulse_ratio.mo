// rule: the impulse of a gear whose ratio jumps acts with the new ratio and keeps the momentum
// From w2 = w, w1 = 3 w to the ratio 2: P = (3 w - 2 w)/(1/0.2 + 4/3), w2 = w + 2 P/3.
// run solve
// run solve --method bdf
// run solve --method rodas
// expect w2(1-) = 1 + 11/4.8
// expect w2(1+) = (1 + 11/4.8)*(1 + 2/3/(5 + 4/3))
// expect w1(1+) = 2*(1 + 11/4.8)*(1 + 2/3/(5 + 4/3))
// expect w2(2) = (1 + 11/4.8)*(1 + 2/3/(5 + 4/3)) + 6/3.8
model EventImpulseRatio
  Real w1, w2(start = 1, fixed = true), tau, r;
equation
  r = if time < 1 then 3 else 2;
  0.2*der(w1) = 5 - tau;
  3*der(w2) = r*tau - 4;
  w1 = r*w2;
  annotation(experiment(StopTime = 2));
end EventImpulseRatio;
