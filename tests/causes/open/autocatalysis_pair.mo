// cause: blow_up
// culprits: x, y, r
// time: 0.5 +- 5e-3
// why: x = y for all times, and der(x) = x^2 with x(0) = 2 ends at t = 0.5.
model AutocatalysisPair "X + Y -> 2 X + 2 Y, fed without limit"
  Real x(start = 2, fixed = true), y(start = 2, fixed = true), r, s, z(start = 0, fixed = true);
equation
  r = x*y;
  der(x) = r;
  der(y) = r;
  s = x + y;
  der(z) = 1/s;
  annotation(experiment(StopTime = 1));
end AutocatalysisPair;
