// cause: domain_error
// culprits: q2, D
// time: 4.539392 +- 5e-3
// why: the hand moves along y = 0.3 with 0.1 m/s; it leaves the reach of the arm, l1 + l2 = 1, at x = sqrt(0.91), t = 4.5394, where the
//     argument of acos exceeds 1. The angle itself is finite (0).
model ElbowByArcCosine "inverse kinematics of an arm with two links"
  parameter Real l1 = 0.5, l2 = 0.5;
  Real x(start = 0.5, fixed = true), y, D, q2, q1;
equation
  der(x) = 0.1;
  y = 0.3;
  D = (x^2 + y^2 - l1^2 - l2^2)/(2*l1*l2);
  q2 = acos(D);
  q1 = atan2(y, x) - atan2(l2*sin(q2), l1 + l2*cos(q2));
  annotation(experiment(StopTime = 8));
end ElbowByArcCosine;
