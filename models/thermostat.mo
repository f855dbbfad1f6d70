// A room is heated below 19 degrees until it has 21.  The Boolean is a memory: pre(heating) is
// its value before the event.
// reference: T = 19.2052420474 at t = 7200, tolerance 1e-5
// from: closed form
model Thermostat "a heater with hysteresis"
  parameter Real low(unit = "degC") = 19, high(unit = "degC") = 21, outside(unit = "degC") = 5;
  parameter Real tau(unit = "s") = 3600, rise(unit = "K") = 25 "by heating all the time";
  Real T(unit = "degC", start = 15, fixed = true);
  Boolean heating(start = true, fixed = true);
equation
  heating = T < low or pre(heating) and T < high;
  tau*der(T) = outside - T + (if heating then rise else 0);
  annotation(experiment(StopTime = 36000));
end Thermostat;
