model M
  Real x[18446744073709551616];
equation
  x[1]=1;
end M;
