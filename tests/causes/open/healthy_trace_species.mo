// cause: none
// expect: a(10) = 0.36787944 +- 1e-5; c(10) = 0.63212056 +- 1e-5
// why: the intermediate b = 1e-13 a stays below its absolute tolerance; it decays fast, so that nothing is lost.
model HealthyTraceSpecies "a reaction by way of a trace of an intermediate, which begins below its tolerance"
  Real a(start = 1, fixed = true), b(start = 1e-14, fixed = true), c(start = 0, fixed = true);
equation
  der(a) = -0.1*a;
  der(b) = 0.1*a - 1e12*b;
  der(c) = 1e12*b;
  annotation(experiment(StopTime = 10));
end HealthyTraceSpecies;
