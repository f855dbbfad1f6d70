// Diodes, saturating amplifiers and switches between nodes far apart: exp, tanh, branches, and
// unknowns gathered from everywhere.
model Network
  parameter Integer n = 300;
  Real v[n](each start = 0.1), i[n], s[n];
equation
  for k in 1:n loop
    i[k] + 1e-3*i[k]^3 = 1e-6*(exp(20*(v[k] - v[mod(7*k, n) + 1])) - 1) + 0.1*tanh(s[mod(13*k, n) + 1]);
    0.5*s[k] + sin(s[k]) = if noEvent(v[k] > v[mod(3*k + 5, n) + 1]) then v[k]*v[k] else v[mod(11*k, n) + 1];
    (1 + 0.1*v[k]^2)*der(v[k]) = sin(6.28*time)/k - v[k] - i[k] + i[mod(5*k, n) + 1]*s[k];
  end for;
end Network;
