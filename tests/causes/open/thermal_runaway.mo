// cause: blow_up
// culprits: theta, rate
// time: 1 +- 5e-3
// why: der(theta) = exp(theta), theta(0) = 0: theta = -log(1 - t). The other states stay finite.
model ThermalRunaway "adiabatic explosion in Frank-Kamenetskii's approximation, with slow bystanders"
  Real theta(start = 0, fixed = true), rate, Tw(start = 0.1, fixed = true), Tc(start = 0, fixed = true), qw, qc, sensor(start = 0, fixed = true);
equation
  rate = exp(theta);
  der(theta) = rate;
  qw = 0.2*(1 - Tw);
  qc = 0.1*(Tw - Tc);
  der(Tw) = qw - qc;
  der(Tc) = qc;
  der(sensor) = 5*(Tw - sensor);
  annotation(experiment(StopTime = 3));
end ThermalRunaway;
