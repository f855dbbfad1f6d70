// rule: two reinit of a variable at practically the same time are told
// run solve -t 2
// expect warning 'act at practically the same time'
model ReinitNearlyTwice
  Real x(start = 0, fixed = true), z(start = 0, fixed = true);
equation
  der(x) = 1;
  der(z) = 1;
  when x > 1 then
    reinit(z, 5);
  end when;
  when time > 1 then
    reinit(z, 7);
  end when;
end ReinitNearlyTwice;
