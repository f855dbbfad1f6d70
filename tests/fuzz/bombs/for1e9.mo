model M
  Real x;
equation
  for i in 1:1000000000 loop x = 1; end for;
end M;
