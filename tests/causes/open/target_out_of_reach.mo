// cause: no_solution
// culprits: q1, q2, x, y
// time: 0
// why: the hand is to be at (0.7, 0.7), 0.990 away from the shoulder; the arm with 0.5 + 0.4 reaches 0.9. No angles do it.
model TargetOutOfReach "inverse kinematics of an arm with two links"
  parameter Real l1 = 0.5, l2 = 0.4, x = 0.7, y = 0.7;
  Real q1(start = 0.3), q2(start = 0.9), charge(start = 1, fixed = true);
equation
  l1*cos(q1) + l2*cos(q1 + q2) = x;
  l1*sin(q1) + l2*sin(q1 + q2) = y;
  der(charge) = -0.1*charge;
  annotation(experiment(StopTime = 5));
end TargetOutOfReach;
