// rule: an array without elements keeps its other sizes
// expect t.y[1](0) = 7
block Table
  parameter Real table[:, :] = fill(0.0, 0, 2);
  parameter Integer columns[:] = 2:size(table, 2);
  Real y[size(columns, 1)] = fill(7, size(columns, 1));
end Table;
model Top
  Table t;
end Top;
