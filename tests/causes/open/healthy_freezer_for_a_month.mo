// cause: none
// expect: n(720) = 300 +- 0.1; T(720) = -16.50484 +- 0.02
// why: two limits, -16 and -20 degrees, hours; exponentials between them, summed up over 600 switchings.
model HealthyFreezerForAMonth "freezer with hysteresis"
  parameter Real Ta = 22, tau = 8, cold = 7.5;
  Real T(start = -18, fixed = true);
  Boolean on(start = false, fixed = true);
  Integer n(start = 0, fixed = true);
equation
  on = T > -16 or pre(on) and T > -20;
  der(T) = (Ta - T)/tau - (if on then cold else 0);
  when on then
    n = pre(n) + 1;
  end when;
  annotation(experiment(StopTime = 720));
end HealthyFreezerForAMonth;
