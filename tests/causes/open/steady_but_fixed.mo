// cause: inconsistent_start
// culprits: T, Tw
// time: 0
// why: der(T) = 0 and der(Tw) = 0 determine T = 330 and Tw = 310 (T - Tw = Q/kA = 20, Tw - Tc = Q/kB = 20), T is
//     fixed at 300 too.
model SteadyButFixed "jacketed vessel, begin in steady state, and T was left fixed from an older version"
  parameter Real Q = 1000, kA = 50, kB = 50, Tc = 290, C = 8000, Cw = 1200;
  Real T(start = 300, fixed = true), Tw(start = 290), q1, q2, excess;
initial equation
  der(T) = 0;
  der(Tw) = 0;
equation
  q1 = kA*(T - Tw);
  q2 = kB*(Tw - Tc);
  C*der(T) = Q - q1;
  Cw*der(Tw) = q1 - q2;
  excess = T - Tc;
  annotation(experiment(StopTime = 1000));
end SteadyButFixed;
