// cause: chattering
// culprits: deer
// time: 2.1972246 +- 0.05
// why: below 50 the herd grows, by 25 at the threshold; above, 30 a year are shot, so that it shrinks by 5. From ln 9 = 2.197
//     on, when the herd reaches 50 from below, both sides push it back.
model QuotaOfHunters "logistic growth, shooting only above a limit"
  parameter Real r = 1, K = 100, limit = 50;
  Real deer(start = 10, fixed = true), shot, total(start = 0, fixed = true);
equation
  shot = if deer > limit then 30 else 0;
  der(deer) = r*deer*(1 - deer/K) - shot;
  der(total) = shot;
  annotation(experiment(StopTime = 10));
end QuotaOfHunters;
