// expect-error: 9:8: U+00E4 is allowed only in strings, comments and 'quoted names'
// expect-error: 10:8: this quoted name is not closed
// expect-error: 11:8: a quoted name cannot be empty
// expect-error: 13:7: this number is too large for a Real
// expect-error: 14:8: a name follows a number; an operator is missing
// expect-error: 15:7: '$' has no meaning here
// expect-warning: 16:9: unknown escape sequence, read as two characters
model Characters
  Real ä;
  Real 'a;
  Real '';
equation
  x = 1e999;
  y = 2x;
  z = $a;
  s = "C\dir";
  "ä" = 'ä'; // ä is fine here
end Characters;
