// rule: an assertion inside a when is checked only where the when fires
// expect x(1) = 1
model AssertInWhen
  Real x(start = 0, fixed = true);
equation
  der(x) = 1;
  when time >= 0.3 then
    assert(x < 0.5, "checked at 0.3 only");
  end when;
  annotation(experiment(StopTime = 1));
end AssertInWhen;
