// rule: modifiers of constrainedby hold for the declared type, and those of every constraining type for later ones
// expect one.part.x(0) = 2
// expect two.part.x(0) = 7
// expect two.part.y(0) = 6
// expect three.part.x(0) = 7
// expect three.part.y(0) = 8
// expect three.part.z(0) = 5
// expect four.part.x(0) = 12
// expect four.part.y(0) = 13
// expect five.part.x(0) = 9
// expect five.part.y(0) = 13
model Base
  Real x = 1;
  Real y = 2;
end Base;
model Other
  Real x = 3;
  Real y = 4;
  Real z = 5;
end Other;
model Declared
  replaceable Other part constrainedby Base(x = 2);
end Declared;
model Open
  replaceable Base part constrainedby Base(x = 5, y = 6);
end Open;
model Modified
  extends Open(part(x = 7));
end Modified;
model Redeclared
  extends Modified(redeclare Other part(y = 8));
end Redeclared;
model Narrowed
  extends Open(redeclare replaceable Other part constrainedby Base(x = 12, y = 13));
end Narrowed;
model Last
  extends Narrowed(part(x = 9));
  redeclare Base part;
end Last;
model Top
  Declared one;
  Modified two;
  Redeclared three;
  Narrowed four;
  Last five;
end Top;
