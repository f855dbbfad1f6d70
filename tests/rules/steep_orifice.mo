// rule: a flow sign(d)*sqrt(abs(d)) whose pressure difference changes its sign reverses, though its slope is infinite there
// run solve
// run solve --method bdf
// run solve --method bdf --rtol 1e-8
// run solve --method radau
// run solve --method rodas
// expect p2(4) = 0.067561320 +- 2e-5
// expect p2(9) = 0.446275654 +- 2e-5
// expect p2(12) = -0.449114437 +- 2e-5
model SteepOrifice
  Real p1, p2(start = -0.5, fixed = true), q;
equation
  p1 = sin(time);
  q = 0.4*sign(p1 - p2)*sqrt(abs(p1 - p2));
  der(p2) = q;
  annotation(experiment(StopTime = 12));
end SteepOrifice;
