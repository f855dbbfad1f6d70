// cause: none
// expect: x(1.5) = 0.695879735 +- 1e-4; v(1.5) = 0.259341593 +- 1e-4; x(20) = 0.9999999547 +- 1e-4
// run: -n 200
// why: speed is sampled every 10 ms and position every 50 ms; where both fall together the speed controller uses the new set point.
//     Between samples x is a parabola: a recursion.
model HealthyControllersAtTwoRates "cascade of two sampled controllers"
  Real x(start = 0, fixed = true), v(start = 0, fixed = true);
  discrete Real u(start = 0, fixed = true), vref(start = 0, fixed = true);
equation
  der(x) = v;
  der(v) = u;
  when sample(0.05, 0.05) then
    vref = 0.8*(1 - x);
  end when;
  when sample(0.01, 0.01) then
    u = 20*(vref - v);
  end when;
  annotation(experiment(StopTime = 20));
end HealthyControllersAtTwoRates;
