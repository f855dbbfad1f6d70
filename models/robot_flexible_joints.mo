// An arm of two links whose motors turn the links through springs.  Its end is to follow a circle;
// the torques of the motors are computed.  They depend on the fourth derivative of the path:
// Hessenberg form of size five, index 5, and no start value is free.
// reference: u1 = 21.95617593 at t = 1, tolerance 1e-5
// reference: u2 = -0.5194462929 at t = 1, tolerance 1e-5
// from: closed form, with derivatives by contour integrals (tests/golden/reference_values.py)
model RobotFlexibleJoints "a robot arm with flexible joints on a prescribed path, index 5"
  parameter Real L1(unit = "m") = 1, L2(unit = "m") = 0.8, m1(unit = "kg") = 2, m2(unit = "kg") = 1.5;
  parameter Real g(unit = "m/s2") = 9.81;
  parameter Real k(unit = "N.m/rad") = 500 "springs", J(unit = "kg.m2") = 0.3 "motors";
  Real q1(unit = "rad", start = 0.1), q2(unit = "rad", start = 1.6), w1, w2 "links";
  Real p1(unit = "rad", start = 0.1), p2(unit = "rad", start = 1.6), v1, v2 "motors";
  Real u1(unit = "N.m"), u2(unit = "N.m") "torques";
equation
  der(q1) = w1;
  der(q2) = w2;
  (m1*L1^2/3 + m2*(L1^2 + L2^2/3 + L1*L2*cos(q2)))*der(w1) + m2*(L2^2/3 + L1*L2/2*cos(q2))*der(w2)
    - m2*L1*L2*sin(q2)*(w1*w2 + w2^2/2) + (m1/2 + m2)*g*L1*cos(q1) + m2*g*L2/2*cos(q1 + q2)
    = k*(p1 - q1);
  m2*(L2^2/3 + L1*L2/2*cos(q2))*der(w1) + m2*L2^2/3*der(w2) + m2*L1*L2/2*sin(q2)*w1^2
    + m2*g*L2/2*cos(q1 + q2) = k*(p2 - q2);
  der(p1) = v1;
  der(p2) = v2;
  J*der(v1) = u1 - k*(p1 - q1);
  J*der(v2) = u2 - k*(p2 - q2);
  L1*cos(q1) + L2*cos(q1 + q2) = 1 + 0.2*cos(2*time);
  L1*sin(q1) + L2*sin(q1 + q2) = 0.8 + 0.2*sin(2*time);
  annotation(experiment(StopTime = 3));
end RobotFlexibleJoints;
