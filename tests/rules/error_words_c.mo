// rule: syntax of other languages names the cure (C)
// expect exit 3
// expect error 14:3 ''const' has no meaning here'
// expect error 15:8 ''parameter' stands before the type'
// expect error 16:8 ''in' is a word of the language and cannot be a name'
// expect error 17:16 'a modifier is written with '=''
// expect error 23:7 'without parentheses'
// expect error 29:7 'write n := n + 1'
// expect error 32:11 ''else if' in line 27 begins another 'if': write 'elseif''
// expect error 36:12 ''return' takes no value'
// expect error 38:4 'write 'end ErrorWords;''

model ErrorWords
  const Real k = 1;
  Real parameter q = 1;
  Real in = 1;
  Real x(start := 1);
  Integer n(start = 0);
  Real y[3];
initial equation
  x = 1;
equation
  for (i = 1; i <= 3; i++)
    y[i] = 1;
  end for;
algorithm
  if x > 1 then n := 2; else if x < 0 then
    n := 1;
    n += 1;
  else
    n := 3;
  end if; annotation(a = 1); end when;
  function f
    output Real y;
  algorithm
    return 2*u;
  end f;
end;
