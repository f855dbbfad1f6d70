// rule: String() obeys its optional arguments
// expect n(0) = 8
model StringOptions
  parameter Boolean is[8] = {
      String(3.14159, significantDigits = 3) == "3.14",
      String(3.14159, format = ".3f") == "3.142",
      String(1234567.0) == "1.23457e+06",
      String(2.5, minimumLength = 5) == "2.5  ",
      String(7, minimumLength = 3, leftJustified = false) == "  7",
      String(42, format = "05d") == "00042",
      String(true) == "true",
      String(false, minimumLength = 6, leftJustified = false) == " false"};
  Real n = sum(if is[i] then 1 else 0 for i in 1:8);
  annotation(experiment(StopTime = 1));
end StringOptions;
