// rule: return leaves the function, break the innermost loop
// expect a(1) = 3
// expect b(1) = 6
function firstAbove
  input Real u[:], limit;
  output Integer k = 0;
algorithm
  for i in 1:size(u, 1) loop
    if u[i] > limit then k := i; return; end if;
  end for;
end firstAbove;
function pairs "twice the number of pairs with j < i"
  input Integer n;
  output Integer s = 0;
algorithm
  for i in 1:n loop
    for j in 1:n loop
      if j >= i then break; end if;
      s := s + 1;
    end for;
  end for;
  s := 2*s;
end pairs;
model FunctionReturnBreak
  Integer a = firstAbove({1, 2, 5, 7}, 3), b = pairs(3);
  annotation(experiment(StopTime = 1));
end FunctionReturnBreak;
