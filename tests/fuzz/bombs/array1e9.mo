model M
  Real x[1000000000];
equation
  x = zeros(1000000000);
end M;
