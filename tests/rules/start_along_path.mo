// rule: equations with a fold between guess and solution are solved along a path
// expect x[1](0) = -1.7692923542386314
// expect x[150](0) = -1.7692923542386314
// expect warning 'one farther away was found by continuation from the start values'
model StartAlongPath
  parameter Integer n = 200;
  Real x[n](each start = 1), s(start = 0, fixed = true);
equation
  for i in 1:n loop
    x[i]^3 - 2*x[i] + 2 = 0.1*(2*x[i] - x[if i == n then 1 else i + 1] - x[if i == 1 then n else i - 1]);
  end for;
  der(s) = x[1] - s;
  annotation(experiment(StopTime = 0.1));
end StartAlongPath;
