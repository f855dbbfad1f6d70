// rule: a sign may follow * and / (as OpenModelica prints it)
// expect a(3) = -6
// expect b(3) = -1.5
// expect c(3) = 0
model SignAfterTimes
  Real x = time;
  Real a = x*-2;
  Real b = x/-2;
  Real c = x * -0.0;
  annotation(experiment(StopTime = 3));
end SignAfterTimes;
