// cause: none
// expect: q(0.33) = 5.183635586e-15 +- 5e-19; u(0.33) = 0.5183635586 +- 5e-5
// why: tiny numbers, but with nominal values; the charge is reset every 50 ms: 2e-14 (1 - exp(-10 s)) with s = 0.03.
model HealthyPixelInFemtocoulombs "photodiode with a leak"
  parameter Real C = 1e-14, R = 1e13, iph = 2e-13;
  Real q(start = 0, fixed = true, nominal = 1e-14), u, leak(nominal = 1e-13);
equation
  u = q/C;
  leak = u/R;
  der(q) = iph - leak;
  when sample(0.05, 0.05) then
    reinit(q, 0);
  end when;
  annotation(experiment(StopTime = 0.33));
end HealthyPixelInFemtocoulombs;
