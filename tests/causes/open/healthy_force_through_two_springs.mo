// cause: none
// expect: F(3) = 1.743552709 +- 1e-4; x1(3) = 0.01117661993 +- 1e-5
// why: the third of three masses must follow sin(2 t); the force on the first is found through two springs, index 7: F = -6.24 sin(2
//     t), x1 = -0.04 sin(2 t).
model HealthyForceThroughTwoSprings "inverse model of a drive with two elastic couplings"
  parameter Real k = 10;
  Real x1, x2, x3, v1, v2, v3, F;
equation
  der(x1) = v1;
  der(x2) = v2;
  der(x3) = v3;
  der(v1) = F - k*(x1 - x2);
  der(v2) = k*(x1 - x2) - k*(x2 - x3);
  der(v3) = k*(x2 - x3);
  x3 = sin(2*time);
  annotation(experiment(StopTime = 3));
end HealthyForceThroughTwoSprings;
