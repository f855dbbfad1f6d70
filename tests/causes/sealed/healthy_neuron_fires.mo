// cause: none
// expect: n(20) = 558 +- 0.1; v(20) = 0.21576896 +- 1e-2
// why: v = 1.2 (1 - exp(-t/0.02)) reaches 1 after 0.02 ln 6 and begins anew, always after the same time.
model HealthyNeuronFires "integrate and fire"
  parameter Real tau = 0.02, I = 1.2;
  Real v(start = 0, fixed = true);
  Integer n(start = 0, fixed = true);
equation
  tau*der(v) = I - v;
  when v > 1 then
    reinit(v, 0);
    n = pre(n) + 1;
  end when;
  annotation(experiment(StopTime = 20, Tolerance = 1e-8));
end HealthyNeuronFires;
