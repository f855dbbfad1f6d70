// rule: a comparator with feedback, without events, switches where its branch ends in a corner
// run solve --method bdf
// run solve --method radau
// run solve --method rodas --rtol 1e-6
// run solve --method bdf --rtol 1e-3
// With y = 15 there is a solution until u = -1.485, with y = -15 until u = 1.485.
// expect y(1) = 15
// expect y(2) = -15
// expect y(4) = 15
// expect warning 'a branch ends in a corner, beyond which the equations do not determine v; the solution continues'
model CornerJump
  Real x(start = 0, fixed = true), u, v, y(start = 15);
equation
  der(x) = 1;
  u = 3*cos(2*x);
  v = u + 0.1*y;
  y = noEvent(if 1000*v > 15 then 15 else if 1000*v < -15 then -15 else 1000*v);
  annotation(experiment(StopTime = 4));
end CornerJump;
