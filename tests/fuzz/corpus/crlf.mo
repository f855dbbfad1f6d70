model M
  Real x;
equation
  x = 1; // c
end M;
