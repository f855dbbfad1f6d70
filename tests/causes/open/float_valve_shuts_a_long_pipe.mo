// cause: discontinuity
// culprits: q, p2
// time: 5 +- 1e-3
// why: the flow of the pipe is cut from 0.01 to 0 at the level 0.5, at t = 5; its inertia L der(q) makes the pressure p2 an
//     impulse.
model FloatValveShutsALongPipe "tank with a pipe of heavy water and a valve that shuts in no time"
  parameter Real A = 0.1, L = 2e5, rho = 1000, g = 9.81;
  Real h(start = 1, fixed = true), q, p2, work(start = 0, fixed = true);
equation
  A*der(h) = -q;
  q = if h > 0.5 then 0.01 else 0;
  L*der(q) = rho*g*h - p2;
  der(work) = p2*0.01;
  annotation(experiment(StopTime = 8));
end FloatValveShutsALongPipe;
