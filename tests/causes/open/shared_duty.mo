// cause: undetermined_variable | redundant_equations
// culprits: u1, u2
// why: only the sum u1 + u2 is determined: the second condition is the first one divided by uReq.
model SharedDuty "two heaters share the demand of a room"
  parameter Real C = 500, kA = 12, Tset = 22, Ta = 5;
  Real T(start = 15, fixed = true), u1(start = 100), u2(start = 100), uReq, share1, share2;
equation
  uReq = kA*(Tset - Ta) + 30*(Tset - T);
  u1 + u2 = uReq;
  u1 = share1*uReq;
  u2 = share2*uReq;
  share1 + share2 = 1;
  C*der(T) = u1 + u2 - kA*(T - Ta);
  annotation(experiment(StopTime = 300));
end SharedDuty;
