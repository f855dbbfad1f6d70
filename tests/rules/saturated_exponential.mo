// rule: a force that saturates by an exponential that overflows has the derivative zero
// expect v(10) = -105.11111 +- 1e-5
// run solve --method bdf
// run solve --method radau
// run solve --method rodas
model SaturatedExponential
  Real v(start = 4, fixed = true), f, w(start = 0, fixed = true);
equation
  der(v) = f - 10;
  f = 1*(2/(1 + exp(-v/0.01)) - 1) + 0*w;
  der(w) = 1e3*(v - w);
  annotation(experiment(StopTime = 10));
end SaturatedExponential;
