// expect-error: 5:12: this string is not closed
// expect-error: 8:1: 'end Unclosed;' is missing for the model of line 3
model Unclosed
  Real x;
  Real y = "abc;
equation
  x = 1;
