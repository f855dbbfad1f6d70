// rule: break removes a binding of a member of a component
// expect y(0) = 4
model A
  Real x = 1;
  Real y = x;
end A;
model Top
  A a(x = break);
  Real y = a.y;
equation
  a.x = 4;
end Top;
