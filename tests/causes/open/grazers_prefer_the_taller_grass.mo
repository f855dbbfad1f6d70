// cause: chattering
// culprits: x1, x2
// time: 0.98761855 +- 0.02
// why: only the taller one of two grasses is eaten. They are equally tall at 0.9876; with x1 > x2 the difference falls by 1 +
//     0.1 x, with x1 < x2 it rises by 1 - 0.1 x, and x is 1.3 to 0.9: both sides push back.
model GrazersPreferTheTallerGrass "two meadows and one herd"
  parameter Real r1 = 0.2, r2 = 0.3, herd = 1;
  Real x1(start = 2, fixed = true), x2(start = 1, fixed = true);
  Boolean first;
equation
  first = x1 > x2;
  der(x1) = r1*x1 - (if first then herd else 0);
  der(x2) = r2*x2 - (if first then 0 else herd);
  annotation(experiment(StopTime = 3));
end GrazersPreferTheTallerGrass;
