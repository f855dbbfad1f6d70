// cause: none
// expect: a(10) = 333.333333 +- 1e-2; b(10) = 666.666667 +- 1e-2
// why: a and b are in equilibrium, b = 2 a, within microseconds; the net rate is the difference of two rates of 1e11.
model HealthyFastEquilibrium "two forms of a molecule, in mol/m3; their net rate is the difference of large ones"
  parameter Real k = 2e8;
  Real a(start = 1000, fixed = true), b(start = 0, fixed = true), forward, backward, net, T(start = 0, fixed = true);
equation
  forward = k*a;
  backward = 0.5*k*b;
  net = forward - backward;
  der(a) = -net;
  der(b) = net;
  der(T) = 1 - T;
  annotation(experiment(StopTime = 10));
end HealthyFastEquilibrium;
