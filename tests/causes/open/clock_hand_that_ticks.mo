// cause: discontinuity
// culprits: angle, omega
// time: 1 +- 1e-6
// why: the hand jumps by six degrees each second, and its speed is asked for: an impulse at t = 1.
model ClockHandThatTicks
  Real angle, omega, wear(start = 0, fixed = true);
equation
  angle = 6*floor(time);
  omega = der(angle);
  der(wear) = 0.01*omega^2;
  annotation(experiment(StopTime = 3.5));
end ClockHandThatTicks;
