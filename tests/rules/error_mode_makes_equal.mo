// rule: the band of a relation is no excuse for a branch whose equations make its operands equal and contradict it
// expect exit 1
// expect error 'i < 0'
// expect error 'no values of the relations'
model ErrorModeMakesEqual "an ideal diode, switched by its own current"
  Real u, v, i, q(start = 0, fixed = true);
  Boolean off;
equation
  u = 10*sin(time);
  u = v + 50*i;
  off = i < 0;
  0 = if off then i else v;
  der(q) = i;
  annotation(experiment(StopTime = 6));
end ErrorModeMakesEqual;
