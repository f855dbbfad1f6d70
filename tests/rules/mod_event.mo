// rule: mod, div and rem of Reals make an event at each jump
// expect m(0.3) = 0.3
// expect m(0.4-) = 0.4
// expect m(0.4+) = 0
// expect m(0.9) = 0.1
// expect d(0.9) = 2
// expect r(0.9) = 0.1
model ModEvent
  Real m = mod(time, 0.4);
  Real d = div(time, 0.4);
  Real r = rem(time, 0.4);
  annotation(experiment(StopTime = 1));
end ModEvent;
