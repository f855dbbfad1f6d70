// rule: a comparator with feedback switches where its branch ends in a corner, in any unit and form
// run solve --method bdf
// run solve --method radau
// run solve --method rodas --rtol 1e-4
// With y = 1e-3 there is a solution until u = -1.667e-4, with y = -1e-3 until u = 1.667e-4.
// expect y(1) = 1e-3 +- 1e-6
// expect y(2) = -1e-3 +- 1e-6
// expect y(4) = 1e-3 +- 1e-6
// expect warning 'a branch ends in a corner'
model CornerJumpSmall
  Real x(start = 0, fixed = true), u, v, y(start = 1e-3);
equation
  der(x) = 1;
  u = 3e-4*cos(2*x);
  v = u + 0.2*y;
  y = (noEvent(abs(30*v + 1e-3)) - noEvent(abs(30*v - 1e-3)))/2;
  annotation(experiment(StopTime = 4));
end CornerJumpSmall;
