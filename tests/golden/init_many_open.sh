# more start values than dense matrices are made for: what is open follows from the structure
cat > many.mo <<'END'
model Many
  parameter Integer n = 1300;
  Real x[n](each start = 2), y[n](each start = 1), z;
equation
  for i in 1:n loop
    der(x[i]) = -x[i];
    y[i] = 2 * x[i];
  end for;
  z = x[1] + x[n];
initial equation
  x[1] = 3;
end Many;
END
daedal init many.mo --json > answer.json
grep -c kept answer.json
grep -c '\[1, 4\]' answer.json
grep '"z"' answer.json
