// cause: contradiction
// culprits: opening, dp
// time: 2 +- 1e-3
// why: shut, the valve leaves dp = (t/2)^2, which is more than 1 after t = 2 and opens it; open, it leaves
//     dp = (t/10)^2, which is less than 1 until t = 10 and shuts it.
model ReliefValveWithoutSpring "relief valve that opens at 1 bar at once, with neither spring nor mass"
  parameter Real k = 10;
  Real q, dp, opening, V(start = 0, fixed = true), P;
equation
  q = time;
  opening = if dp > 1 then 1 else 0.2;
  dp = (q/(opening*k))^2;
  der(V) = q;
  P = q*dp;
  annotation(experiment(StopTime = 5));
end ReliefValveWithoutSpring;
