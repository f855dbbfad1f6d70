// rule: a name is declared once in a class; what a base declares too is another matter
// expect exit 3
// expect error 'declared twice'
model Part
  Real x = 1;
end Part;

model DeclaredTwice
  Part a;
  Real level;
  Real level;
equation
  level = a.x;
end DeclaredTwice;
