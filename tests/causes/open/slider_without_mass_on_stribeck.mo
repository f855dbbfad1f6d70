// cause: impasse
// culprits: v
// time: 0.373647 +- 2e-3
// why: k s = F(v) with the friction F = 1 + exp(-v/0.1) + 0.2 v, which has its least value 1.0982 at v = 0.391. From v = 2 the
//     spring relaxes as long as v > 0.2 and reaches this value: no v belongs to a weaker spring.
model SliderWithoutMassOnStribeck "brush pulled over a sheet by a spring; its mass was neglected"
  parameter Real k = 1, Fc = 1, dF = 1, vs = 0.1, c = 0.2, V = 0.2;
  Real s(start = 1.4, fixed = true), v(start = 2), x(start = 0, fixed = true);
equation
  der(s) = V - v;
  k*s = Fc + dF*exp(-v/vs) + c*v;
  der(x) = v;
  annotation(experiment(StopTime = 2));
end SliderWithoutMassOnStribeck;
