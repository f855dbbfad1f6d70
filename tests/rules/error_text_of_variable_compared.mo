// rule: a text made of a variable is good for messages only; a comparison with it is refused
// expect exit 3
// expect error 12:13 'String() of a variable cannot be compared'
model TextOfVariableCompared
  function f
    input Integer n;
    output Real y;
  protected
    String t;
  algorithm
    t := String(n);
    y := if t == "3" then 1 else 0;
  end f;
  Integer n(start = 3, fixed = true);
  Real y = f(n);
equation
  when time > 0.5 then
    n = 4;
  end when;
end TextOfVariableCompared;
