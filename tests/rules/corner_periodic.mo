// rule: a corner of a state is found however smooth its argument looks at a few points of a long step
// The function is 1 for 0.45 of every 3.14 seconds, else -1.  Steps are as long as several periods; values between
// the points at which the argument is looked at must not be taken for a slow polynomial through them.
// run solve --method radau --rtol 1e-8
// run solve --method radau
// run solve --method rodas
// run solve
// expect q(20*1/7) = -2.406116045346595 +- 1e-4
// expect q(20*2/7) = -4.361205278896927 +- 1e-4
// expect q(20*3/7) = -6.316294512447259 +- 1e-4
// expect q(20*4/7) = -8.271383745997593 +- 1e-4
// expect q(20*5/7) = -10.226472979547925 +- 1e-4
// expect q(20*6/7) = -12.181562213098257 +- 1e-4
// expect q(20*7/7) = -14.136651446648589 +- 1e-4
function pulse
  input Real p;
  output Real y;
algorithm
  y := -1;
  if cos(p) > 0.9 then
    y := 1;
  end if;
end pulse;
model CornerPeriodic
  Real q(start = 0, fixed = true), p(start = 0, fixed = true), z(start = 1, fixed = true);
equation
  der(p) = 2;
  der(q) = pulse(p);
  der(z) = -0.1*z;
  annotation(experiment(StopTime = 20));
end CornerPeriodic;
