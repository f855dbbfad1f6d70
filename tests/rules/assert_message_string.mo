// rule: messages are joined from texts and String() of numbers and truth values
// expect exit 1
// expect error 'valve 3 is true'
model AssertMessageString
  parameter Integer n = 3;
  parameter String what = "valve ";
  Boolean open = time >= 0.5;
equation
  assert(not open, what + String(n) + " is " + String(open));
  annotation(experiment(StopTime = 1));
end AssertMessageString;
