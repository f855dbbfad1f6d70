// cause: assertion
// culprits: sway
// why: in resonance the amplitude grows with t/2; it exceeds 2 before t = 6.
model BridgeSwaysTooFar
  Real sway(start = 0, fixed = true), v(start = 0, fixed = true);
equation
  der(sway) = v;
  der(v) = -sway + sin(time);
  assert(abs(sway) < 2, "the sway of the bridge is above two metres");
  annotation(experiment(StopTime = 20));
end BridgeSwaysTooFar;
