// rule: redeclarations among the choices of an annotation are proposals and nothing else
// expect s.p.y(0) = 1
partial model Base
  Real y;
end Base;
model One
  extends Base(y = 1);
end One;
model Two
  extends Base(y = 2);
end Two;
model System
  replaceable model P = One constrainedby Base "a part" annotation(
    Evaluate = true, choices(choice(redeclare model P = One "the first"), choice(redeclare replaceable model P = Two
        constrainedby Base "the second")));
  P p;
  parameter Real redeclared = 1 annotation(Evaluate = true, choices(choice(redeclare parameter Real redeclared = 2 "two")));
end System;
model Top
  System s;
end Top;
