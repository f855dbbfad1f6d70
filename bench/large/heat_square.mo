model Heat "heat in a square: n^2 equations"
  parameter Integer n = 100;
  parameter Real a = (n + 1)^2;
  Real T[n, n](each start = 0, each fixed = true);
equation
  for i in 1:n loop
    for j in 1:n loop
      der(T[i, j]) = a*((if i > 1 then T[i - 1, j] else 1) + (if i < n then T[i + 1, j] else 0)
        + (if j > 1 then T[i, j - 1] else 0) + (if j < n then T[i, j + 1] else 0) - 4*T[i, j]);
    end for;
  end for;
  annotation(experiment(StopTime = 1e-8));
end Heat;
