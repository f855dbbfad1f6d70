// cause: none
// expect: phi(7) = -0.7517496217 +- 5e-3
// why: a free gap of +-0.2 between springs: harmonic motion outside, constant speed inside; period 0.2 pi + 0.1, in closed
//     form.
model HealthyGearWithBacklash "spring with a dead zone by max and min"
  parameter Real k = 100, b = 0.2;
  Real phi(start = 1, fixed = true), w(start = 0, fixed = true), T;
equation
  T = k*(max(phi - b, 0) + min(phi + b, 0));
  der(phi) = w;
  der(w) = -T;
  annotation(experiment(StopTime = 7));
end HealthyGearWithBacklash;
