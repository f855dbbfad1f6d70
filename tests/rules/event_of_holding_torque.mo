// rule: a mode of index two ends where its algebraic variable changes its sign, inside a long step
// run solve --rtol 1e-6
// run solve --rtol 1e-8
// run solve --rtol 1e-9
// run solve --rtol 1e-10
// run solve --rtol 1e-11 --method radau
// A freewheel turns forward only.  Free from 0 and 2 pi on, w' = 3 sin(time) - w/2.
// expect w(2) = (1.5*sin(2) - 3*cos(2) + 3*exp(-1))/1.25
// expect w(5) = 0
// expect hold(5) = -3*sin(5)
// expect w(2*pi + 2) = (1.5*sin(2) - 3*cos(2) + 3*exp(-1))/1.25
// expect free(6.2) = false
// expect free(6.4) = true
model EventOfHoldingTorque
  Real phi(start = 0, fixed = true), w(start = 0), hold, s, M = 3*sin(time);
  Boolean free = s > 0;
equation
  der(phi) = w;
  der(w) = M - 0.5*w + hold;
  w = if free then s else 0;
  hold = if free then 0 else -s;
  annotation(experiment(StopTime = 13));
end EventOfHoldingTorque;
