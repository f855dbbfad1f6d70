// expect-error: 8:19: expected ')', found ';'
// expect-error: 9:17: expected '}', found ')'
// expect-error: 11:13: expected ']', found ';'
// expect-error: 12:17: expected an expression, found ')'
// expect-error: 13:9: expected an expression, found ';'
// expect-error: 14:16: expected an expression, found ';'
model Brackets
  Real x(start = 1;
  Real y = {1, 2);
equation
  w = x[1, 2;
  x = f();  y = );
  y = + ;
  x = if a then;
  y = 3;
end Brackets;
