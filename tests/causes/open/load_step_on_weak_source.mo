// cause: no_solution | discontinuity
// culprits: V, I, P
// time: 2 +- 1e-6
// why: a source of 10 V behind 1 Ohm delivers at most E^2/(4 R) = 25 W. The demand steps from 16 W to 30 W at t = 2, from
//     where on V I = P, V = E - R I has no real solution. (It is a jump, too.)
model LoadStepOnWeakSource "constant-power load at the end of a battery"
  parameter Real E = 10, R = 1;
  Real V(start = 8), I(start = 2), P, Tb(start = 20, fixed = true);
equation
  P = if time < 2 then 16 else 30;
  V*I = P;
  V = E - R*I;
  100*der(Tb) = R*I^2 - 0.5*(Tb - 20);
  annotation(experiment(StopTime = 5));
end LoadStepOnWeakSource;
