// rule: where a discrete variable jumps to the value of a state, x >= u becomes true, also at the start
// expect b(0.25) = true
// expect c(0.25) = false
// expect c(0.75) = true
model RelationMetByJump
  Real x(start = 1, fixed = true);
  discrete Real u(start = 2, fixed = true), v(start = 2, fixed = true);
  Boolean b, c;
equation
  der(x) = 0;
  b = x >= u;
  c = x >= v;
  when sample(0, 10) then
    u = 1;
  end when;
  when time > 0.5 then
    v = 1;
  end when;
  annotation(experiment(StopTime = 1));
end RelationMetByJump;
