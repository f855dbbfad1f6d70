// cause: bad_scaling
// or: d(2) = -33.562861 +- 1.5
// culprits: x, d
// why: the position is counted in nm from the centre of the earth, 6.371e15, of which a double sees steps of 1 and rtol allows
//     errors of 6e9; what matters is the deflection of 40 nm, a difference of two such numbers.
model SeismometerFromTheEarthsCentre "mass of a seismometer, positions in nanometres"
  parameter Real frame = 6.371e15, w = 5;
  Real x(start = 6.371e15 + 40, fixed = true), v(start = 0, fixed = true), d;
equation
  d = x - frame;
  der(x) = v;
  der(v) = -w^2*d;
  annotation(experiment(StopTime = 2));
end SeismometerFromTheEarthsCentre;
