// cause: too_much_work
// run: --max_steps 30 -n 1
// why: 100 time units of the Lorenz equations, more than 100 turns around the two centres, with 30 steps in one output
//     interval.
model WeatherWithThirtySteps
  parameter Real s = 10, r = 28, b = 8/3;
  Real x(start = 1, fixed = true), y(start = 1, fixed = true), z(start = 1, fixed = true);
equation
  der(x) = s*(y - x);
  der(y) = x*(r - z) - y;
  der(z) = x*y - b*z;
  annotation(experiment(StopTime = 100));
end WeatherWithThirtySteps;
