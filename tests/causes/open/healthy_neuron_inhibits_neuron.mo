// cause: none
// expect: v1(20) = 0.3022002835 +- 1e-3; v2(20) = 0.7756853211 +- 2e-3; g(20) = 0.8456756055 +- 1e-3; n1(20) = 18 +- 0; n2(20)
//     = 21 +- 0
// why: two neurons that fire at 1, the first one inhibits the second through g; exponentials between spikes, spikes by
//     bisection.
model HealthyNeuronInhibitsNeuron "integrate and fire"
  Real v1(start = 0, fixed = true), v2(start = 0, fixed = true), g(start = 0, fixed = true);
  Integer n1(start = 0, fixed = true), n2(start = 0, fixed = true);
equation
  der(v1) = 1.5 - v1;
  der(v2) = 2.3 - v2 - g;
  der(g) = -g/2;
  when v1 >= 1 then
    reinit(v1, 0);
    reinit(g, pre(g) + 0.4);
    n1 = pre(n1) + 1;
  end when;
  when v2 >= 1 then
    reinit(v2, 0);
    n2 = pre(n2) + 1;
  end when;
  annotation(experiment(StopTime = 20));
end HealthyNeuronInhibitsNeuron;
