// cause: inconsistent_start
// culprits: w1, w2, ratio
// time: 0
// why: w1 = 4 w2 is an equation, and the speeds are fixed at 100 and 30; one of them is enough.
model GearSpeedsFixed "motor, gear and fan; a speed was typed in for both shafts"
  parameter Real J1 = 0.02, J2 = 0.5, d = 0.01, ratio = 4, tau = 3;
  Real w1(start = 100, fixed = true), w2(start = 30, fixed = true), phi(start = 0, fixed = true);
  Real t1, t2, P;
equation
  J1*der(w1) = tau - t1;
  J2*der(w2) = t2 - d*w2*abs(w2);
  t2 = ratio*t1;
  w1 = ratio*w2;
  der(phi) = w2;
  P = tau*w1;
  annotation(experiment(StopTime = 3));
end GearSpeedsFixed;
