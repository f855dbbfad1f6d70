// cause: none
// expect: level(30) = 0.1 +- 1e-5; T(30) = 80 +- 1e-4; phase(30) = 4 +- 0; used(30) = 60 +- 1e-3
// why: fill with 0.5 to 2 (until t = 4), heat with 5 K/s from 20 to 80 (until 16), drain with 0.25 to 0.1 (until 23.6), done. used: 5 units per
//     second of heating, 12 s.
model HealthyBatchRecipe "recipe of a batch process as a state machine"
  Real level(start = 0, fixed = true), T(start = 20, fixed = true), used(start = 0, fixed = true);
  Integer phase(start = 1, fixed = true);
equation
  when level >= 2 then
    phase = 2;
  elsewhen T >= 80 then
    phase = 3;
  elsewhen level <= 0.1 then
    phase = 4;
  end when;
  der(level) = if phase == 1 then 0.5 elseif phase == 3 then -0.25 else 0;
  der(T) = if phase == 2 then 5 else 0;
  der(used) = if phase == 2 then 5 else 0;
  annotation(experiment(StopTime = 30));
end HealthyBatchRecipe;
