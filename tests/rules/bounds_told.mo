// rule: values outside of min and max are told once, and do not change the solution
// expect x(2) = -1
// expect warning 'x is below its minimum of 0'
// expect warning 'y is above its maximum of 2'
// expect warning 'n is above its maximum of 1'
// expect warning ''R' is -5, below its minimum of 0'
model BoundsTold
  parameter Real R(min = 0) = -5;
  Real x(start = 1, fixed = true, min = 0), y(max = 2), z(min = 0);
  Integer n(start = 0, fixed = true, max = 1);
equation
  der(x) = -1;
  y = 3*time;
  z = max(0, 1 - time) - 1e-9;
  when x < 0.7 then
    n = 1;
  elsewhen x < 0.4 then
    n = 2;
  end when;
  annotation(experiment(StopTime = 2));
end BoundsTold;
