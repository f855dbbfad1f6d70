// cause: blow_up
// culprits: i, phi
// time: 0.6931472 +- 3e-3
// why: driven at a speed that follows its current, the emf is k i^2, without saturation of the iron: i' = i^2 - i from 2, which
//     is infinite at ln 2.
model SeriesGeneratorWithoutSaturation "self-excited series machine"
  parameter Real L = 0.5, R = 0.5, k = 0.5;
  Real i(start = 2, fixed = true), phi, emf, heat(start = 0, fixed = true);
equation
  phi = k*i;
  emf = phi*i;
  L*der(i) = emf - R*i;
  der(heat) = R*i/(1 + i);
  annotation(experiment(StopTime = 2));
end SeriesGeneratorWithoutSaturation;
