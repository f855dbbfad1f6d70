// rule: a when-equation for a Real that forms a loop with ordinary equations is solved together with them
// y = 9 - 3 (4 - y) + t at the ticks: y = (3 - t)/2; u = 7 - q, q^3 + q = 10 u at t >= 0.5: q = 3 would need u = 3
// expect y(0.2) = 1.5
// expect y(0.7) = 1.25
// expect x(1.2) = 3
// expect q(0.7) = 3
// expect u(0.7) = 3
model WhenInLoop
  Real x, y, q(start = 1), u(start = 1, fixed = true);
equation
  x + y = 4;
  q^3 + q = 10*u;
  when sample(0, 0.5) then
    y = 9 - 3*x + time;
  end when;
  when time >= 0.5 then
    u = 30 - 9*q;
  end when;
  annotation(experiment(StopTime = 1.4));
end WhenInLoop;
