// expect-error: 4:3: 'end if' without its 'if'
model StrayEnd
equation
  end if;
  x = 1;
end StrayEnd;
