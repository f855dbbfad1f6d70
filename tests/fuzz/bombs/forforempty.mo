model M
  Real x;
equation x=1;
  for i in 1:1000000 loop for j in 1:1000000 loop for k in 1:0 loop x = i; end for; end for; end for;
end M;
