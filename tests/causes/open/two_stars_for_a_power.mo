// cause: text
// culprits: **, ^
// why: powers are written with '^', not with '**'.
model TwoStarsForAPower "drag"
  parameter Real k = 0.1;
  Real v(start = 5, fixed = true);
equation
  der(v) = -k*v**2;
  annotation(experiment(StopTime = 5));
end TwoStarsForAPower;
