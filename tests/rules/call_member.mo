// rule: (f(x)).a: a member behind parentheses, of a call and of an if-expression
// expect y(1) = 4
// expect z(0.25) = 3
// expect z(1) = 8
record Pair
  Real a, b;
end Pair;
function make
  input Real x;
  output Pair p;
algorithm
  p := Pair(3, 4*x);
end make;
model CallMember
  Pair q = Pair(7, 8*time);
  Real y = (make(time)).b;
  Real z = (if time < 0.5 then make(1) else Pair(8, 9)).a;
  annotation(experiment(StopTime = 1));
end CallMember;
