// rule: the history of delay() follows a signal that turns several times within one step
// run solve --rtol 1e-8
// run solve --rtol 1e-8 --method rodas
// expect y(3.1) = sin(9*(3.1 - (0.8 + 0.2*sin(3.1)))) +- 1e-7
// expect y(4.7) = sin(9*(4.7 - (0.8 + 0.2*sin(4.7)))) +- 1e-7
// expect z(4.2) = cos(20*3.2) +- 1e-7
model DelayOfFastSignal
  Real x = sin(9*time), y = delay(x, 0.8 + 0.2*sin(time), 2);
  Real w = cos(20*time), z = delay(w, 1);
  annotation(experiment(StopTime = 5));
end DelayOfFastSignal;
