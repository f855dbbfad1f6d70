// rule: an initial equation cannot set the derivative of a clocked variable
// run solve -t 1
// expect exit 3
// expect error 7 'cannot set the derivative'
model ErrorClockInitial
  Real x(start = 1); initial equation
  der(x) = 0; equation
  when Clock(Clock(0.1), "ImplicitEuler") then
    der(x) = 3 - x;
  end when;
end ErrorClockInitial;
