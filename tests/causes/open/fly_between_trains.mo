// cause: event_accumulation
// culprits: fly, a, b, dir, going
// time: 50 +- 0.1
// why: a fly turns whenever it meets a train; the trains meet after 50 s, and before that it has turned infinitely often.
model FlyBetweenTrains "two trains approach, and a fly between them turns at each of them"
  Real a(start = 0, fixed = true), b(start = 100, fixed = true), fly(start = 0, fixed = true);
  discrete Real dir(start = 1, fixed = true);
equation
  der(a) = 1;
  der(b) = -1;
  der(fly) = 2*dir;
  when fly >= b then
    dir = -1;
  elsewhen fly <= a then
    dir = 1;
  end when;
  annotation(experiment(StopTime = 60));
end FlyBetweenTrains;
