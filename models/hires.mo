// High irradiance response: how a plant's growth reacts to light, eight species.
// reference: y8 = 0.0028500016048142313 at t = 321.812, tolerance 1e-3
// from: Test Set for IVP Solvers, recomputed with 20 digits
model Hires "HIRES: photomorphogenesis of plants, stiff"
  Real y1(start = 1), y2, y3, y4, y5, y6, y7, y8(start = 0.0057);
equation
  der(y1) = -1.71*y1 + 0.43*y2 + 8.32*y3 + 0.0007;
  der(y2) = 1.71*y1 - 8.75*y2;
  der(y3) = -10.03*y3 + 0.43*y4 + 0.035*y5;
  der(y4) = 8.32*y2 + 1.71*y3 - 1.12*y4;
  der(y5) = -1.745*y5 + 0.43*y6 + 0.43*y7;
  der(y6) = -280*y6*y8 + 0.69*y4 + 1.71*y5 - 0.43*y6 + 0.69*y7;
  der(y7) = 280*y6*y8 - 1.81*y7;
  der(y8) = -280*y6*y8 + 1.81*y7;
  annotation(experiment(StopTime = 321.8122));
end Hires;
