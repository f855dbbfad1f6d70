// rule: exponentials over many decades, from guesses of zero
// expect v[1](0) = 0.9607070617783223
// expect chain[1](0) = 0.96638213526486
model StartDiodeLadder
  parameter Integer n = 60, m = 40;
  parameter Real Is = 1e-16, Vt = 0.025, R = 10;
  Real v[n], chain[m], i, s(start = 0, fixed = true);
equation
  (50 + s - v[1])/R = Is*(exp(v[1]/Vt) - 1) + (v[1] - v[2])/R;
  for k in 2:n - 1 loop
    (v[k - 1] - v[k])/R = Is*(exp(v[k]/Vt) - 1) + (v[k] - v[k + 1])/R;
  end for;
  (v[n - 1] - v[n])/R = Is*(exp(v[n]/Vt) - 1);
  for k in 1:m loop
    i = Is*(exp(chain[k]/Vt) - 1);
  end for;
  100 + s - sum(chain) = R*i;
  der(s) = -s;
  annotation(experiment(StopTime = 0.1));
end StartDiodeLadder;
