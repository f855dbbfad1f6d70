// cause: bad_scaling
// or: tau(5) = 13.53352832 +- 1e-3
// culprits: tau, reading, reference
// why: both clocks read nanoseconds since 1970, 1.7e18, where doubles are 256 apart: the offset tau of 100 has no digit left in
//     the difference of the readings, which comes out as 0. (A program that cancels t0 finds tau = 100 exp(-0.4 t).)
model SatelliteClockInNanoseconds "control loop for the offset of a clock"
  parameter Real t0 = 1.7e18, k = 0.4;
  Real tau(start = 100, fixed = true), reading, reference, err;
equation
  reading = t0 + tau;
  reference = t0;
  err = reading - reference;
  der(tau) = -k*err;
  annotation(experiment(StopTime = 5));
end SatelliteClockInNanoseconds;
