// rule: delays are as accurate where times and values are billions as where they are one
// The argument has a jump and a corner; both come out of the delay as events.
// run solve --rtol 1e-7
// run solve --method bdf --rtol 1e-7
// expect y(2e9) = 0.25e9 +- 1e-6
// expect y(2.4e9) = 0.45e9 +- 1e-6
// expect y(2.5e9-) = 0.5e9 +- 1e-6
// expect y(2.5e9+) = 1e9*(2 + sin(1)) +- 1e-6
// expect y(4e9) = 1e9*(2 + sin(2.5)) +- 1e-6
// expect z(5e9) = 1e9*((0.5*exp(-1) - 2 - (sin(1) - cos(1))/2)*exp(-2.5) + 2 + (sin(3.5) - cos(3.5))/2) +- 1e-6
model DelayLargeUnits
  Real u(nominal = 1e9), y(nominal = 1e9), z(start = 0, fixed = true, nominal = 1e9), s = 1e-9*time;
  Boolean between = s > 2;
equation
  u = 1e9*(if s > 1 then 2 + sin(s) else 0.5*s);
  y = delay(u, 1.5e9);
  der(z) = 1e-9*(y - z);
  annotation(experiment(StopTime = 5e9));
end DelayLargeUnits;
