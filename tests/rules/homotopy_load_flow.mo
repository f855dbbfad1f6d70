// rule: from a guess at which a network has collapsed, the linear load flow leads to the operating point
// A ring of twelve buses; without homotopy this guess leads to v[1] = 0.79.
// expect v[1](0) = 0.9707951237096991
// expect v[2](0) = 0.9493397002472849
model HomotopyLoadFlow
  parameter Integer n = 12;
  parameter Real b = 20, P = 0.25, Q = 0.05;
  Real v[n](each start = 0.2), a[n](each start = 1.5), s(start = 0, fixed = true);
  Real vb[n + 2], ab[n + 2] "with the slack bus at both ends";
equation
  vb[1] = 1;
  ab[1] = 0;
  vb[n + 2] = 1;
  ab[n + 2] = 0;
  for k in 1:n loop
    vb[k + 1] = v[k];
    ab[k + 1] = a[k];
    -P = homotopy(b*vb[k + 1]*(vb[k]*sin(ab[k + 1] - ab[k]) + vb[k + 2]*sin(ab[k + 1] - ab[k + 2])),
      b*(2*ab[k + 1] - ab[k] - ab[k + 2]));
    -Q = homotopy(b*vb[k + 1]*(2*vb[k + 1] - vb[k]*cos(ab[k + 1] - ab[k]) - vb[k + 2]*cos(ab[k + 1] - ab[k + 2])),
      b*(2*vb[k + 1] - vb[k] - vb[k + 2])) + s;
  end for;
  der(s) = -s;
  annotation(experiment(StopTime = 0.1));
end HomotopyLoadFlow;
