// rule: a converter whose events come faster until it is periodic does not accumulate events
// run solve --rtol 1e-8
// run solve --rtol 1e-8 --method radau
// expect iL(1*5e-3/7) = 2.11468484 +- 1e-5
// expect iL(2*5e-3/7) = 2.07716411 +- 1e-5
// expect iL(3*5e-3/7) = 2.0645314 +- 1e-5
// expect iL(4*5e-3/7) = 1.83754216 +- 1e-5
// expect iL(5*5e-3/7) = 1.98188898 +- 1e-5
// expect iL(6*5e-3/7) = 2.197643 +- 1e-5
// expect vC(5e-3) = 11.9804276 +- 1e-5
// expect no warning
model TwoPointCurrent "a buck converter whose current is kept between 1.8 and 2.2 A"
  parameter Real V = 24, L = 1e-3, C = 100e-6, R = 6;
  Real iL(start = 0, fixed = true), vC(start = 0, fixed = true);
  Boolean on(start = true, fixed = true);
equation
  on = iL < 1.8 or pre(on) and iL < 2.2;
  L*der(iL) = (if on then V else 0) - vC;
  C*der(vC) = iL - vC/R;
  annotation(experiment(StopTime = 5e-3));
end TwoPointCurrent;
