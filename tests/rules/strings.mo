// rule: descriptions with escapes and over several lines, joined by +; String parameters
// expect x(1) = 2
model Strings "says \"hello\" \\ and // is no comment here"
  parameter String name = "a /* b */";
  Real x = 2 "first line
second line";
  Real y = 1 "one " + "two";
  annotation(experiment(StopTime = 1));
end Strings;
