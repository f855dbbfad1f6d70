// rule: a component may be a record that another class with other sizes constructs
// expect p.y(0) = 8
// expect q.y(0) = 5
// expect r.y(0) = 16
record Base
  parameter Real[:, :] tab = [1, 2; 3, 4];
  parameter Real s = 1;
end Base;
record Other
  extends Base(tab = [1, 2; 3, 4; 5, 6], s = 2);
end Other;
block Part
  parameter Base mat = Base();
  Real y = mat.tab[size(mat.tab, 1), 2] + mat.s;
end Part;
model Top
  Part p(mat = Other());
  Part q;
  Part r(mat = Base(tab = [7, 8], s = 8));
end Top;
