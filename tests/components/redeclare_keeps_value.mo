// rule: a component that is redeclared without a value keeps that of the replaced declaration
// expect m[1,1].y(1) = 15
// expect m[2,1].y(1) = 3
// expect m[2,2].y(1) = 15
record Cell
  parameter Boolean linear = true;
  parameter Real o = 1;
  parameter Real s[:, 2] = [0, o; 1, 1];
  final parameter Real t[:, 2] = if linear then [0, o; 1, 1] else s;
end Cell;
record Table
  extends Cell(linear = false, s = [0, 1; 2, 3; 4, 5]);
end Table;
record Stack
  parameter Integer n = 1;
  replaceable parameter Cell a;
  replaceable parameter Cell b;
  replaceable parameter Cell c[n, 2] = {{if i < k then a else b for i in 1:2} for k in 1:n};
end Stack;
record Stack2
  extends Stack(redeclare Cell a, redeclare Cell b, redeclare Cell c);
end Stack2;
model Part
  parameter Cell c;
  Real y = sum(c.t)*time;
end Part;
model Top
  parameter Cell a;
  parameter Table b;
  parameter Stack2 stack(n = 2, a = a, b = b);
  Part m[2, 2](c = stack.c);
  annotation(experiment(StopTime = 1));
end Top;
