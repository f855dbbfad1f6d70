// rule: an algorithm assigns in order, one variable several times
// expect y(1) = 3
// expect z(1) = 8
// expect s(1) = 14
model AlgorithmSection
  Real y, z, s;
algorithm
  y := time;
  z := 8*y;
  y := y*2;
  y := y + 1;
  s := 0;
  for i in 1:3 loop
    s := s + i^2*time;
  end for;
  annotation(experiment(StopTime = 1));
end AlgorithmSection;
