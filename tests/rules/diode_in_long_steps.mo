// rule: a step of a linearly implicit method satisfies the equations at its end
// run solve
// run solve --method limex
// run solve --method rodas
// run solve --method limex --rtol 1e-4
// expect v(1.2267) = -1.4119333612803566 +- 1e-3
// expect id(1.2267) = -4e-06 +- 1e-3
// expect v(2.61) = 0.5746692421746191 +- 1e-3
// expect id(2.61) = 0.3922556235862167 +- 1e-3
model DiodeInLongSteps
  Real v(start = 0), id;
equation
  id = 4e-6*(exp(v/0.05) - 1);
  2*(1 - exp(-2*time))*cos(2*time) = v + id;
  annotation(experiment(StopTime = 2.61));
end DiodeInLongSteps;
