// rule: loops inside loops, several iterators in one loop, an inner range with the outer index
// expect A[2,3](1) = 23
// expect B[2,3](1) = 6
// expect C[2,1](1) = 2
// expect C[1,2](1) = 0
model ForEquationNested
  Real A[2, 3], B[2, 3], C[2, 2];
equation
  for i in 1:2, j in 1:3 loop
    A[i, j] = 10*i + j*time;
  end for;
  for i in 1:2 loop
    for j in 1:3 loop
      B[i, j] = i*j;
    end for;
    for j in 1:i loop C[i, j] = i; end for;
    for j in i + 1:2 loop C[i, j] = 0; end for;
  end for;
  annotation(experiment(StopTime = 1));
end ForEquationNested;
