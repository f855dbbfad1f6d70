// cause: text
// culprits: max
// why: max takes two values or an array, not three values.
model LargestOfThree "the hottest of three bearings decides on the fan"
  Real T1(start = 40, fixed = true), T2(start = 50, fixed = true), T3(start = 45, fixed = true), hot;
equation
  der(T1) = 0.1*(60 - T1);
  der(T2) = 0.1*(55 - T2);
  der(T3) = 0.1*(70 - T3);
  hot = max(T1, T2, T3);
  annotation(experiment(StopTime = 30));
end LargestOfThree;
