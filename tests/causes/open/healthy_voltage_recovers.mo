// cause: none
// expect: V(10) = 0.9660750449 +- 1e-5
// why: V = cos(delta), P = sin(2 delta); P = 0.999 - 0.02 (t - 5)^2 comes to 0.999 of the limit and returns; at t =
//     10 P = 0.499.
model HealthyVoltageRecovers "the load is reduced just in time"
  parameter Real E = 1, X = 0.5;
  Real P, V(start = 0.9), delta(start = 0.3), loss, theta(start = 20, fixed = true);
equation
  P = 0.999 - 0.02*(time - 5)^2;
  E*V/X*sin(delta) = P;
  (E*V*cos(delta) - V^2)/X = 0;
  loss = P*(1 - V);
  der(theta) = loss - 0.1*(theta - 20);
  annotation(experiment(StopTime = 10));
end HealthyVoltageRecovers;
