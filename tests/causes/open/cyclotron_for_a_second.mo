// cause: too_much_work
// why: 1.6 million revolutions, each of which needs dozens of steps, within the 3 s that the user allows; the equations are linear
//     and healthy.
// run: --timeout 3 -n 10
model CyclotronForASecond "charged particle in a constant field"
  parameter Real w = 1e7;
  Real x(start = 0, fixed = true), y(start = 0, fixed = true), u(start = 1, fixed = true), v(start = 0, fixed = true);
equation
  der(x) = w*u;
  der(y) = w*v;
  der(u) = w*v;
  der(v) = -w*u;
  annotation(experiment(StopTime = 1));
end CyclotronForASecond;
