model M
  Real x[100000,100000,100000,100000];
equation
  x[1,1,1,1] = 1;
end M;
