// cause: bad_scaling
// culprits: S, E, ES, P
// why: amounts in one cell, in moles: 4e-15 at most, four millionths of the absolute tolerance of 1e-9, so that the error
//     test passes whatever happens. The time scales are ordinary (0.02 s to 30 s).
model EnzymeInMoles "Michaelis and Menten in full, in SI units, for one cell"
  parameter Real k1 = 1e16, km1 = 3, k2 = 2;
  Real S(start = 4e-15, fixed = true), E(start = 1e-16, fixed = true), ES(start = 0, fixed = true), P(start = 0, fixed = true);
  Real bind, turn;
equation
  bind = k1*E*S - km1*ES;
  turn = k2*ES;
  der(S) = -bind;
  der(E) = turn - bind;
  der(ES) = bind - turn;
  der(P) = turn;
  annotation(experiment(StopTime = 40));
end EnzymeInMoles;
