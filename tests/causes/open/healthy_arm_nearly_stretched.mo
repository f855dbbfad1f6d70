// cause: none
// expect: q2(3) = 1.927251858 +- 1e-4; q1(3) = -0.963625929 +- 1e-4
// why: the hand moves along the axis to 0.9999 of the reach and back: q2 = acos(2 x^2 - 1), q1 = -q2/2; the smallest q2 is 0.028, where the
//     equations are nearly singular, but the elbow does not pass through.
model HealthyArmNearlyStretched "inverse kinematics near a singular position"
  parameter Real l = 0.5;
  Real x, y, q1(start = -1), q2(start = 2), turned(start = 0, fixed = true);
equation
  x = 0.5 + 0.4999*sin(time);
  y = 0;
  l*cos(q1) + l*cos(q1 + q2) = x;
  l*sin(q1) + l*sin(q1 + q2) = y;
  der(turned) = q2;
  annotation(experiment(StopTime = 3));
end HealthyArmNearlyStretched;
