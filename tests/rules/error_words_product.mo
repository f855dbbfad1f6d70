// rule: signs of other languages name the cure (products without a sign)
// expect exit 3
// expect error 10:19 'product is written'
// expect error 11:12 'product is written'
// expect error 12:19 'product is written'

model ErrorWords
  Real x(start = 1, fixed = true), y, z;
equation
  der(x) = -sin(2 x);
  y + 1 = 3(x + 2);
  z = (x + 1.5)*2 (x - 1);
  annotation(experiment(StopTime = 1));
end ErrorWords;
