// cause: none
// expect: spikes(50) = 5.0 +- 0.1; v(50) = 0.7323218861 +- 1e-3
// why: v = I R (1 - exp(-t/tau)) reaches 1 after tau log(IR/(IR - 1)) each time.
model HealthyNeuronFires
  parameter Real tau = 10, IR = 1.7;
  Real v(start = 0, fixed = true);
  Integer spikes(start = 0, fixed = true);
equation
  tau*der(v) = -v + IR;
  when v >= 1 then
    reinit(v, 0);
    spikes = pre(spikes) + 1;
  end when;
  annotation(experiment(StopTime = 50));
end HealthyNeuronFires;
