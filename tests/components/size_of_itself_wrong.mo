// rule: a matrix that must be square and is not is an error
// expect exit 3
// expect error 'size 2 of A must be that of dimension 1, 2, and is 3'
block Linear
  parameter Real A[:, size(A, 1)] = [1, 0; 0, 1];
  Real y = A[1, 1];
end Linear;
model Top
  Linear s(A = [1, 2, 3; 4, 5, 6]);
end Top;
