// rule: the inner sizes of a product agree
// expect exit 3
// expect error 7
model ErrorSizeProduct
  Real A[2, 3] = ones(2, 3), v[2] = {1, 2}, y[2];
equation
  y = A*v;
  annotation(experiment(StopTime = 1));
end ErrorSizeProduct;
