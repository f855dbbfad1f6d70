// cause: event_iteration
// culprits: K1, K2, K3
// time: 4 +- 1e-6
// why: as soon as the pressure is above 3, K1 = not K3, K2 = K1, K3 = K2 with an odd number of inversions: each pass changes one
//     of them.
model ThreeRelaysInARing "enabling circuit of a compressor, relays without time"
  Real p(start = 1, fixed = true);
  Boolean enable, K1(start = false, fixed = true), K2(start = false, fixed = true), K3(start = false, fixed = true);
equation
  der(p) = 0.5;
  enable = p > 3;
  K1 = enable and not pre(K3);
  K2 = pre(K1);
  K3 = pre(K2);
  annotation(experiment(StopTime = 8));
end ThreeRelaysInARing;
