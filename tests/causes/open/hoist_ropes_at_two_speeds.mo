// cause: inconsistent_start
// culprits: v1, v2, x1, x2
// time: 0
// why: the rope has a constant length, x1 + 2 x2 = L, so that v1 + 2 v2 = 0 at all times; both speeds are fixed at 0.4, which
//     gives 1.2. The constraint that is violated is the derivative of the one that is written.
model HoistRopesAtTwoSpeeds "counterweight and load on a movable pulley"
  parameter Real m1 = 10, m2 = 25, g = 9.81, L = 6;
  Real x1(start = 2, fixed = true), x2(start = 2), v1(start = 0.4, fixed = true), v2(start = 0.4, fixed = true), S;
equation
  der(x1) = v1;
  der(x2) = v2;
  m1*der(v1) = m1*g - S;
  m2*der(v2) = m2*g - 2*S;
  x1 + 2*x2 = L;
  annotation(experiment(StopTime = 2));
end HoistRopesAtTwoSpeeds;
