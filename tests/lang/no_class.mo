// expect-error: 2:1: expected a class such as 'model Name ... end Name;', found 'x'
x = y;
der(y) = -y;
model M
equation
  x = 1;
end M;
