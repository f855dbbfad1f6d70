// rule: the message of an assertion is one line, though its text begins with an empty one and is broken
// expect exit 1
// expect error 'daedal: Level 2 is too high: open the valve (assert in line 9'
model AssertMessageLines
  Real x(start = 1, fixed = true);
equation
  der(x) = 1;
  when x > 2 then
    assert(false, "
Level " + String(2) + " is too high:
    open the valve
");
  end when;
  annotation(experiment(StopTime = 3));
end AssertMessageLines;
