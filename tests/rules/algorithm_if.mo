// rule: if in an algorithm; relations in it are events like elsewhere
// expect y(0.25) = 1
// expect y(0.5-) = 1
// expect y(0.5+) = 4
// expect y(1.5) = 9
model AlgorithmIf
  Real y;
algorithm
  if time < 0.5 then
    y := 1;
  elseif time < 1 then
    y := 4;
  else
    y := 8;
    y := y + 1;
  end if;
  annotation(experiment(StopTime = 1.5));
end AlgorithmIf;
