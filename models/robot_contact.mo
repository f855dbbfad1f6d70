// A planar arm of two links whose end slides along a wall x = d while torques act at its joints: the
// angles obey M(q) q'' + G(q, q') = u + B' lambda, the wall is the constraint, and lambda the contact
// force.  Index 3.
// reference: q1 = 1.123264389 at t = 2, tolerance 1e-5
// reference: force = 17.40110917 at t = 2, tolerance 1e-4
// from: extrapolation method at 1e-13 on the accelerations (tests/golden/reference_values.py)
model RobotContact "a robot arm with its end in contact with a wall, index 3"
  parameter Real L1(unit = "m") = 1, L2(unit = "m") = 0.8, m1(unit = "kg") = 2, m2(unit = "kg") = 1.5;
  parameter Real g(unit = "m/s2") = 9.81, d(unit = "m") = 1.2 "where the wall is";
  parameter Real push(unit = "N") = 15 "with which the end is pressed on it";
  parameter Real q10 = 0.9 "first angle at the start";
  Real q1(unit = "rad", start = q10, fixed = true), q2(unit = "rad", start = -1.2) "angles";
  Real w1(unit = "rad/s", start = 0, fixed = true), w2(unit = "rad/s");
  Real u1(unit = "N.m"), u2(unit = "N.m") "torques of the joints";
  Real force(unit = "N") "of the wall on the arm";
  Real y(unit = "m") "height of the end";
equation
  u1 = (m1/2 + m2)*g*L1*cos(q1) + m2*g*L2/2*cos(q1 + q2) - push*(L1*sin(q1) + L2*sin(q1 + q2))
    - 3*w1 + 4*sin(2*time) "weight, pressure, damping, motion";
  u2 = m2*g*L2/2*cos(q1 + q2) - push*L2*sin(q1 + q2) - w2;
  der(q1) = w1;
  der(q2) = w2;
  (m1*L1^2/3 + m2*(L1^2 + L2^2/3 + L1*L2*cos(q2)))*der(w1) + m2*(L2^2/3 + L1*L2/2*cos(q2))*der(w2)
    - m2*L1*L2*sin(q2)*(w1*w2 + w2^2/2) + (m1/2 + m2)*g*L1*cos(q1) + m2*g*L2/2*cos(q1 + q2)
    = u1 - force*(-L1*sin(q1) - L2*sin(q1 + q2));
  m2*(L2^2/3 + L1*L2/2*cos(q2))*der(w1) + m2*L2^2/3*der(w2) + m2*L1*L2/2*sin(q2)*w1^2
    + m2*g*L2/2*cos(q1 + q2) = u2 - force*(-L2*sin(q1 + q2));
  L1*cos(q1) + L2*cos(q1 + q2) = d;
  y = L1*sin(q1) + L2*sin(q1 + q2);
  annotation(experiment(StopTime = 4));
end RobotContact;
