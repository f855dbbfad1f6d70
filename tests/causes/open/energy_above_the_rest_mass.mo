// cause: bad_scaling
// culprits: E, kinetic, T
// why: the kinetic energy is the total energy less the rest mass of 9e22, of which double precision keeps multiples of
//     1.7e7: the heat of 100 is never seen.
model EnergyAboveTheRestMass "temperature of a body from its total energy, rest mass included"
  parameter Real m = 1e6, c2 = 9e16;
  Real heat(start = 100, fixed = true), E, kinetic, T(start = 0, fixed = true);
equation
  der(heat) = -0.1*heat;
  E = m*c2 + heat;
  kinetic = E - m*c2;
  der(T) = kinetic - T;
  annotation(experiment(StopTime = 5));
end EnergyAboveTheRestMass;
