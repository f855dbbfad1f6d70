// rule: blocks of a matrix may have more than two dimensions
// expect x(0) = 6
// expect y(0) = 7
// expect z(0) = 12
model MatrixBlocks
  parameter Real t[2, 2, 2] = [{{{1, 2}, {3, 4}}, {{5, 6}, {7, 8}}}];
  parameter Real u[2, 3, 2] = [t, {{{9, 10}}, {{11, 12}}}];
  parameter Real v[3, 2, 2] = [t; {{{9, 10}, {11, 12}}}];
  Real x = t[2, 1, 2];
  Real y = u[2, 2, 1];
  Real z = if u[1, 3, 2] == 10 and v[3, 1, 1] == 9 and size(v, 1) == 3 then v[3, 2, 2] else 0;
end MatrixBlocks;
