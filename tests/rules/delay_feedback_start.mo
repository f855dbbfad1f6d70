// rule: what a delay feeds back is in equilibrium at the start, since delay(u, T) is u there
// expect u(0) = 10
// expect u(2.5) = 10
// expect w(0) = -1
// expect w(2.5) = -1 +- 1e-3
// expect z(0) = 1/3
// expect a(0) = 4/2.2
// expect b(0) = 2-0.8*4/2.2
// expect x(2) = 20
model DelayFeedbackStart
  Real u, w, z, a, b, x(start = 0, fixed = true);
equation
  u = 0.9*delay(u, 1) + 1;
  w = 2*delay(w, 1) + 1;
  z = -2*delay(z, 3) + 1;
  a = 1.5*delay(b, 3) + 1;
  b = -0.8*delay(a, 4) + 2;
  der(x) = u;
  annotation(experiment(StopTime = 2.5));
end DelayFeedbackStart;
