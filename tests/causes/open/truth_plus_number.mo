// cause: text
// culprits: on
// why: a Boolean is multiplied by a Real.
model TruthPlusNumber
  Real T(start = 15, fixed = true);
  Boolean on(start = true, fixed = true);
equation
  on = T < 19 or pre(on) and T < 21;
  der(T) = 0.3*(5 - T) + 8*on;
  annotation(experiment(StopTime = 5));
end TruthPlusNumber;
