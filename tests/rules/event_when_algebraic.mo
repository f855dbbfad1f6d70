// rule: a when on an algebraic unknown fires: the torque of a brake that holds exceeds its limit at t = 2.5
// 4 - 5 t + t^2 = 0 at t = 1; behind 2.5 w = (t - 2.5)^2
// expect w(0.5) = 1.75
// expect w(1.5) = 0 +- 1e-6
// expect tau(2) = 4
// expect mode(2.4) = 0
// expect mode(2.6) = 1
// expect w(3) = 0.25
model EventWhenAlgebraic
  Real w(start = 4, fixed = true), tau, drive = 2*time;
  Integer mode(start = 1, fixed = true);
equation
  der(w) = drive - tau;
  if mode == 1 then
    tau = 5;
  else
    der(w) = 0;
  end if;
  when pre(mode) == 1 and w < 0 then
    mode = 0;
    reinit(w, 0);
  elsewhen pre(mode) == 0 and tau > 5 then
    mode = 1;
  end when;
  annotation(experiment(StopTime = 3));
end EventWhenAlgebraic;
