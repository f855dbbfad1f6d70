// rule: start is the guess that decides between several solutions
// expect a(1) = -2
// expect b(1) = 2
model StartChoosesBranch
  Real a(start = -1.5), b(start = 2.5);
equation
  a^2 = 4;
  b^2 = 4;
  annotation(experiment(StopTime = 1));
end StartChoosesBranch;
