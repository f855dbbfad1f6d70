model M
 Real x = sum(fill(time,1000,1000,1000,1000));
end M;
