// rule: a.b = e in a modifier is a(b = e); several of one component, arrays, final and extends
// expect p.sum(1) = 7
// expect d.p.sum(1) = 25
// expect d.total(1) = 34
model Point
  parameter Real x = 10, y = 20;
end Point;

model Holder
  Point q;
  Real sum = q.x + q.y;
end Holder;

model Base
  Holder p;
  Point r[2];
end Base;

model Derived
  extends Base(p.q.x = 5, each r.x = 7);
  Real total = r[2].x + r[2].x + r[1].y;
end Derived;

model ModifierPath
  Holder p(q.x = 3, final q.y = 4);
  Derived d;
  Real z(start = 0, fixed = true);
equation
  der(z) = p.sum;
  annotation(experiment(StopTime = 1));
end ModifierPath;
