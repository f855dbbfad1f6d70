// rule: array() is another way to write braces
// expect v[3](0) = 9
// expect s(0) = 14
model Base
  Real v[3] = array(1, 2, 9);
  Real s = sum(array(i^2 for i in 1:3));
end Base;
model Top
  extends Base;
end Top;
