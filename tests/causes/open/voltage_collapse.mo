// cause: impasse
// culprits: V, delta
// time: 5 +- 5e-3
// why: V = E cos(delta) and P = E^2 sin(2 delta)/(2 X) with X = 0.5, so P <= 1; P = 0.5 + 0.1 t reaches 1 at t = 5.
model VoltageCollapse "a load of constant power at the end of a line"
  parameter Real E = 1, X = 0.5, T = 2;
  Real P, V(start = 0.9), delta(start = 0.3), I2, loss, theta(start = 20, fixed = true);
equation
  P = 0.5 + 0.1*time;
  E*V/X*sin(delta) = P;
  (E*V*cos(delta) - V^2)/X = 0;
  I2 = (E^2 + V^2 - 2*E*V*cos(delta))/X^2;
  loss = 0.01*I2;
  T*der(theta) = 10*loss - (theta - 20);
  annotation(experiment(StopTime = 8));
end VoltageCollapse;
