// rule: model extends B, without redeclare, adds to the inherited replaceable B
// expect b.x(0) = 3
// expect b.y(0) = 2
model A
  replaceable model B
    Real x = 1;
  end B;
end A;
model Top
  extends A;
  model extends B(x = 3)
    Real y = 2;
  end B;
  B b;
end Top;
