// rule: functions with for and while run statement by statement
// expect a(1) = 15
// expect b(0.4) = 0
// expect b(1) = 3
function triangle
  input Integer n;
  output Integer s = 0;
algorithm
  for i in 1:n loop s := s + i; end for;
end triangle;
function halvings "how often u can be halved before it is below 1"
  input Real u;
  output Integer k;
protected
  Real v = u;
algorithm
  k := 0;
  while v >= 1 loop v := v/2; k := k + 1; end while;
end halvings;
model FunctionForWhile
  Integer a = triangle(5), b(start = 0, fixed = true);
equation
  when time >= 0.5 then b = halvings(10*time); end when;
  annotation(experiment(StopTime = 1));
end FunctionForWhile;
