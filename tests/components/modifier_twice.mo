// rule: one modifier gives one value to a variable, however its name is written
// expect exit 3
// expect error 'modified twice'
model Point
  parameter Real x = 10, y = 20;
end Point;

model Holder
  Point q;
  Real sum = q.x + q.y;
end Holder;

model ModifierTwice
  Holder p(q.x = 3, q(y = 4, x = 5));
  annotation(experiment(StopTime = 1));
end ModifierTwice;
