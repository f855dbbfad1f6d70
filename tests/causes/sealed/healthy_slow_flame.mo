// cause: none
// expect: y(10020) = 0.9999924183 +- 1e-4
// why: nothing seems to happen for 10000 s, then the flame is there within some seconds. 1/y + log(1/y - 1) =
//     1e4 + log(9999) - t, solved by bisection.
model HealthySlowFlame "radius of a ball of flame, from a spark of 1e-4"
  Real y(start = 1e-4, fixed = true), gain, loss;
equation
  gain = y^2;
  loss = y^3;
  der(y) = gain - loss;
  annotation(experiment(StopTime = 10020));
end HealthySlowFlame;
