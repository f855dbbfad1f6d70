// rule: a final component cannot be redeclared
// expect exit 3
// expect error 'final'
model A
  parameter Real k = 1;
end A;
model B
  extends A;
end B;
model H
  final replaceable A a;
end H;
model Top
  H h(redeclare B a);
  annotation(experiment(StopTime = 1));
end Top;
