// rule: a sum over an iterator whose elements are vectors is a vector
// expect y[1](0) = 9
// expect y[2](0) = 12
// expect z(0) = 45
// expect p[2](0) = 80
model M
  function mean
    input Real v[:, :];
    output Real x[size(v, 1)];
  algorithm
    x := sum(v[:, k] for k in 1:size(v, 2))*3/size(v, 2);
  end mean;
  parameter Real v[2, 3] = [1, 3, 5; 2, 4, 6];
  Real y[2] = mean(v);
  Real z = sum(i*j for i in 1:2, j in {4, 11});
  Real p[2] = {10, 20} + sum({i*j, 10*i} for i in 1:2, j in {1, 1});
end M;
