// rule: the size of a final field depends on fields that are given from outside
// expect a.n(0) = 3
// expect a.x(0) = 12
// expect a.y(0) = 50
record Pair
  parameter Real p = 1;
  parameter Real q = 2;
end Pair;
record Data
  parameter Boolean is_short = true;
  parameter Real unknown "needs a value";
  parameter Real list[:] = {1, 2};
  final parameter Real used[:] = if is_short then {0} else list;
  parameter Integer n_pairs = 1;
  parameter Pair pair[n_pairs] = {Pair(p = 0, q = 0)};
end Data;
record Special
  extends Data(is_short = false, list = {3, 4, 5}, n_pairs = 2,
               pair = {Pair(p = 2*unknown, q = 3), Pair(p = 4, q = 5)});
end Special;
model A
  parameter Data d;
  Integer n = size(d.used, 1);
  Real x = sum(d.used);
  Real y = sum(d.pair[k].p*d.pair[k].q for k in 1:d.n_pairs);
end A;
model Top
  parameter Special given(unknown = 5);
  A a(d = given);
end Top;
