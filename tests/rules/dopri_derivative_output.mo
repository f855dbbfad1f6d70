// rule: variables that are computed from derivatives are as accurate between the steps of dopri as the states
// The force on a crane that is driven along a given path; before, it was off by 540 tolerances.
// run solve --rtol 1e-8 --method dopri
// expect F(0.5257731958762886) = 1.75396899420 +- 1e-6
// expect F(0.5567010309278351) = 1.51769477959 +- 1e-6
model DopriDerivativeOutput
  Real x(start = 0), v, F, th(start = 0.1, fixed = true), w(start = 0, fixed = true);
equation
  der(x) = v;
  der(th) = w;
  x = if time < 1 then 0.5*time^2*(3 - 2*time) else 0.5;
  der(v)*cos(th) + der(w) = -9.81*sin(th);
  F = 3*der(v) + der(w)*cos(th) - w^2*sin(th);
  annotation(experiment(StopTime = 3));
end DopriDerivativeOutput;
