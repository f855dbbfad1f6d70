// cause: undetermined_variable | redundant_equations
// culprits: J1, J2, J3
// why: with the emissivity 0 all radiosities can be shifted together: each is the mean of the two others.
model EnclosureOfMirrors "radiation between three walls, all of them perfect mirrors"
  parameter Real eps = 0, sigma = 5.670374e-8, C = 900, T2 = 300, T3 = 350;
  Real T1(start = 400, fixed = true), J1(start = 600), J2(start = 600), J3(start = 600), q1, lamp;
equation
  J1 = eps*sigma*T1^4 + (1 - eps)*(0.5*J2 + 0.5*J3);
  J2 = eps*sigma*T2^4 + (1 - eps)*(0.5*J1 + 0.5*J3);
  J3 = eps*sigma*T3^4 + (1 - eps)*(0.5*J1 + 0.5*J2);
  q1 = J1 - 0.5*(J2 + J3);
  lamp = 20 + 0.01*J1;
  C*der(T1) = lamp - q1;
  annotation(experiment(StopTime = 100));
end EnclosureOfMirrors;
