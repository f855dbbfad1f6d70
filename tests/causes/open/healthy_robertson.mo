// cause: none
// expect: y1(40) = 0.715827068718 +- 1e-5; y3(40) = 0.284163745747 +- 1e-5
// why: the published reference of this problem at t = 40.
model HealthyRobertson "chemical kinetics, rates 0.04 to 3e7"
  Real y1(start = 1, fixed = true), y2(start = 0, fixed = true), y3;
equation
  der(y1) = -0.04*y1 + 1e4*y2*y3;
  der(y2) = 0.04*y1 - 1e4*y2*y3 - 3e7*y2^2;
  y1 + y2 + y3 = 1;
  annotation(experiment(StopTime = 40));
end HealthyRobertson;
