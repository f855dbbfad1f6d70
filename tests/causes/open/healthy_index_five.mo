// cause: none
// expect: y5(3) = 0.1411200080598672 +- 1e-4
// why: y1 = sin(t), each of the others is the derivative of the one before: y5 = sin(t). A model may have any index.
model HealthyIndexFive "jerk and snap of a prescribed motion"
  Real y1, y2, y3, y4, y5;
equation
  y1 = sin(time);
  der(y1) = y2;
  der(y2) = y3;
  der(y3) = y4;
  der(y4) = y5;
  annotation(experiment(StopTime = 3));
end HealthyIndexFive;
