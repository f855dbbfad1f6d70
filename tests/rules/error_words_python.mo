// rule: syntax of other languages names the cure (python)
// expect exit 3
// expect error 13:15 'for line 12, found '=': write 'for i in 1:n loop''
// expect error 16:12 'for line 15, found '=': the condition ends with 'then''
// expect error 18:10 'elements of a row are separated by commas'
// expect error 19:13 'a product is written with '*''

model ErrorWords
  Real x[3](each start = 1, each fixed = true);
  Real y, z[2, 2], w;
equation
  for i in range(3):
    der(x[i]) = -x[i];
  end for;
  if y > 1:
    der(y) = 1;
  end if;
  z = [1 2; 3 4];
  der(w) = 2(x[1] + 1);
  annotation(experiment(StopTime = 1));
end ErrorWords;
