// expect-error: 6:9: ';' is missing here
// expect-error: 8:14: ';' is missing here
// expect-error: 10:10: expected ';', found 'z'
// expect-error: 11:15: ';' is missing here
model Semicolons
  Real y
equation
  der(x) = -x
  y = 2*x;
  y = 3  z;
end Semicolons
