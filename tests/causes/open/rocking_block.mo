// cause: event_accumulation
// culprits: theta, omega
// time: 8.837445402 +- 1e-2
// why: theta = sgn (1 - (1 - m) cosh(t)) between impacts, each impact multiplies omega by 0.8; with c = (1 - m) the
//     next one is c' = sqrt(1 - 0.64 (1 - c^2)), and the times acosh(1/c) add up to a finite sum.
model RockingBlock "a block rocks on its corners, with loss at each impact (Housner)"
  parameter Real r = 0.8;
  Real theta(start = 0.5, fixed = true), omega(start = 0, fixed = true), side, E;
equation
  side = if theta > 0 then 1 else -1;
  der(theta) = omega;
  der(omega) = theta - side;
  E = 0.5*omega^2;
  when theta > 0 then
    reinit(omega, r*pre(omega));
  elsewhen theta < 0 then
    reinit(omega, r*pre(omega));
  end when;
  annotation(experiment(StopTime = 20));
end RockingBlock;
