// expect-error: 8:5: in an algorithm a value is assigned with ':=', not '='
// expect-error: 9:3: only a variable or (a, b, ...) can be assigned to
// expect-error: 10:5: expected ':=', found 'y'
// expect-error: 11:22: expected ';', found 'end'
// expect-error: 12:3: only a variable or (a, b, ...) can be assigned to
function statements
algorithm
  x = 3;
  f(x)[2] := 3;
  x y;
  while x loop break end while;
  (a, 3) := f(x);
end statements;
