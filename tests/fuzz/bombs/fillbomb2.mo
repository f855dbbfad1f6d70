model M
 Real x = sum(fill(1.0,60000000));
end M;
