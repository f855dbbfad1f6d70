// cause: bad_scaling
// culprits: photons
// why: the photons begin at 1e-14 of their final number, below the absolute tolerance, and grow by their own feedback;
//     when the pulse comes depends on errors that nobody sees.
model LaserFromNoise "the first pulse of a laser, in nanoseconds"
  Real photons(start = 1e-14, fixed = true), pump(start = 0, fixed = true), gain;
equation
  gain = 4*pump - 1;
  der(photons) = gain*photons - photons^2;
  der(pump) = 0.05*(1 - pump) - pump*photons;
  annotation(experiment(StopTime = 60));
end LaserFromNoise;
