// cause: undetermined_variable | redundant_equations
// culprits: p, q1, q2
// why: both valves are shut, s1 = s2 = 0 at all times, and the water between them is incompressible: nothing
//     determines its pressure.
model PressureBetweenClosedValves "a piece of pipe between two valves that nobody opens"
  parameter Real kv = 0.3, pIn = 6, pOut = 1, Tv = 2;
  Real s1(start = 0, fixed = true), s2(start = 0, fixed = true), command, p(start = 3), q1, q2, force;
  Real V(start = 1, fixed = true);
equation
  command = 0;
  Tv*der(s1) = command - s1;
  Tv*der(s2) = command - s2;
  q1 = kv*s1*(pIn - p);
  q2 = kv*s2*(p - pOut);
  q1 = q2;
  force = 0.01*p;
  der(V) = q2 - 0.1*V;
  annotation(experiment(StopTime = 10));
end PressureBetweenClosedValves;
