// rule: sum, product, min and max of arrays and with iterators
// expect a(1) = 6
// expect b(1) = 14
// expect c(1) = 24
// expect d(1) = 1
// expect e(1) = 9
// expect f(1) = -2
// expect g(1) = 18
model Reductions
  Real x[3] = {1, 2, 3}*time;
  Real a = sum(x);
  Real b = sum(i*x[i] for i in 1:3);
  Real c = product(i for i in 1:4);
  Real d = min(x);
  Real e = max(x[i]^2 for i in 1:3);
  Real f = min({3, -2, 5});
  Real g = sum(i*j for i in 1:2, j in 1:3) "3*6";
  annotation(experiment(StopTime = 1));
end Reductions;
