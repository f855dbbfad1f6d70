// rule: a loop whose slope changes by a factor of several hundred at a corner is no impasse
// run solve --method auto
// run solve --method bdf
// run solve --method radau
// run solve --method radau --rtol 1e-8
// run solve --method limex
// expect vo(1.5) = -0.8441874859 +- 1e-4
// expect vo(3.1) = 0.4970452811 +- 1e-4
// expect w(6) = -0.4670370128 +- 1e-4
model SaturatedAmplifier "inverting amplifier with a gain of 1000, whose output ends at 5 V"
  Real vi = 3*sin(2*time), vm, vo, w(start = 0, fixed = true);
equation
  (vi - vm) + (vo - vm)/2 = 0;
  vo = max(-5, min(5, -1000*vm));
  der(w) = vo;
  annotation(experiment(StopTime = 6, Interval = 0.5));
end SaturatedAmplifier;
