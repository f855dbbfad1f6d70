// expect-error: 8:12: expected 'then', found 'the'
// expect-error: 16:3: expected 'end when;' for the 'when' of line 14, found 'else'
// expect-error: 20:16: expected 'loop', found 'do'
// expect-error: 25:3: expected 'end if;' for the 'if' of line 23, found 'end'
// expect-error: 27:17: expected a name, found '1'
model Blocks
equation
  if x > 1 the
    y = 1;
  else
    y = 2;
  end if;
  z = 3;
  when x then
    y = 1;
  else
    y = 2;
  end when;
  z = 4;
  for i in 1:3 do
    x[i] = 1;
  end for;
  if a then
    b = 1;
  end for;
  z = 5;
  for i in 1:3, 1 loop
    z = 6;
  end for;
end Blocks;
