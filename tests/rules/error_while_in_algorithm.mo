// rule: a while whose condition depends on values is told to go into a function
// expect exit 3
// expect error 9:11 'put it into a function'
model WhileInAlgorithm
  Integer n(start = 7, fixed = true), k(start = 0, fixed = true);
algorithm
  when sample(0, 1) then
    n := 7 + k;
    while n > 1 loop
      n := div(n, 2);
    end while;
    k := k + 1;
  end when;
  annotation(experiment(StopTime = 1));
end WhileInAlgorithm;
