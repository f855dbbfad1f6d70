// rule: the size of an expression with variables in it is found without its value
// expect a.v[3](2) = 6
// expect a.w[2](2) = 4
// expect a.u[3](0) = 1
// expect a.n(0) = 2
block A
  Real v[:] = {1, 2, 3} + 1.5*time*{0, 1, 1} .* ones(3) - {0, 0, 0};
  Real w[:] = [1, 0, 0; 0, 2, 0]*{time, time, time};
  Real u[:] = cos({time, 2*time, 3*time});
  Real n = size(w, 1);
end A;
model Top
  A a;
end Top;
