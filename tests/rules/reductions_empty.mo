// rule: the sum of nothing is 0, the product of nothing 1; arrays may have size 0
// expect a(1) = 0
// expect b(1) = 1
// expect c(1) = 0
model ReductionsEmpty
  parameter Integer n = 0;
  Real x[n];
  Real a = sum(x);
  Real b = product(i for i in 1:n);
  Real c = size(x, 1);
equation
  for i in 1:n loop
    x[i] = i;
  end for;
  annotation(experiment(StopTime = 1));
end ReductionsEmpty;
