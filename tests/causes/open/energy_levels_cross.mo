// cause: branch_jump | impasse
// culprits: E
// time: 1 +- 5e-3
// why: the characteristic equation of diag(t, 2 - t), E^2 - 2 E + t (2 - t) = (E - t)(E - 2 + t) = 0: the root followed, E = t, meets
//     the other one, 2 - t, at t = 1; the equation does not say which continues.
model EnergyLevelsCross "level of an atom in a rising field, from the characteristic polynomial"
  Real E(start = 0), trace, determinant, phase(start = 0, fixed = true);
equation
  trace = 2;
  determinant = time*(2 - time);
  E^2 - trace*E + determinant = 0;
  der(phase) = E;
  annotation(experiment(StopTime = 2));
end EnergyLevelsCross;
