// rule: several delays of one signal jump one after the other, and each jump acts at once
// expect a(0.55-) = 0
// expect a(0.55+) = 1
// expect c(0.7-) = 0
// expect c(0.7+) = 2
// expect b(0.8-) = 0
// expect b(0.8+) = 1
// expect w(0.8-) = 0
// expect w(0.8+) = 2
// expect seen(0.8-) = 0
// expect seen(0.8+) = 0.8
// expect seen(1) = 0.8
model DelaySeveral
  Real u = if time < 0.3 then 0 else 1;
  Real a = delay(u, 0.25);
  Real b = delay(u, 0.5);
  Real c = delay(2*u, 0.4);
  Real w(start = 0);
  discrete Real seen(start = 0, fixed = true);
equation
  w^3 + w = 10*b;
  when b > 0.5 then
    seen = time;
  end when;
  annotation(experiment(StopTime = 1));
end DelaySeveral;
