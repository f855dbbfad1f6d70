// rule: two reinit that give a variable different values at the same time are an error
// run solve -t 2
// expect exit 4
// expect error 'reinit(z, 5) and reinit(z, 7) act at the same time, so that the new value of z is not unique'
model ReinitTwice
  Real x(start = 0, fixed = true), z(start = 0, fixed = true);
equation
  der(x) = 1;
  der(z) = 1;
  when x > 1 then
    reinit(z, 5);
  end when;
  when x > 1 and z > 0.5 then
    reinit(z, 7);
  end when;
end ReinitTwice;
