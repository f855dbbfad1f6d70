// cause: structure | undetermined_variable
// culprits: q1, q2, q3, Tw, Ts, Tr
// why: seven unknowns and six equations: the heat flow q2 from the wall to the surface has no law.
model WallWithoutItsInnerFlow "room behind a wall of two layers"
  parameter Real C1 = 4e5, C2 = 1e5, R1 = 0.05, R3 = 0.02;
  Real To, Tw(start = 5, fixed = true), Ts, Tr(start = 20, fixed = true), q1, q2, q3;
equation
  To = 5*sin(7.27e-5*time);
  q1 = (To - Tw)/R1;
  C1*der(Tw) = q1 - q2;
  q2 = q3;
  q3 = (Ts - Tr)/R3;
  C2*der(Tr) = q3 + 200;
  annotation(experiment(StopTime = 86400));
end WallWithoutItsInnerFlow;
