// rule: if, elseif and else in a function
// expect a(1) = -1
// expect b(1) = 0
// expect c(1) = 1
function signum
  input Real u;
  output Real s;
algorithm
  if u < 0 then
    s := -1;
  elseif u > 0 then
    s := 1;
  else
    s := 0;
  end if;
end signum;
model FunctionIfStatement
  Real a = signum(-1 - time), b = signum(0), c = signum(1 + time);
  annotation(experiment(StopTime = 1));
end FunctionIfStatement;
