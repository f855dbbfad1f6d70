// cause: discontinuity
// culprits: T, Q, set
// time: 6 +- 1e-6
// why: the room has exactly the temperature of the schedule, which jumps by 3 K at 6 h, and the heating power contains its
//     derivative: an impulse of C times 3 K, which no finite Q replaces.
model RoomFollowsItsSchedule "power that a schedule needs, time in hours"
  parameter Real C = 0.5, G = 0.2, Tout = 0;
  discrete Real set(start = 18, fixed = true);
  Real T, Q, E(start = 0, fixed = true);
equation
  when time >= 6 then
    set = 21;
  end when;
  T = set;
  C*der(T) = Q - G*(T - Tout);
  der(E) = Q;
  annotation(experiment(StopTime = 24));
end RoomFollowsItsSchedule;
