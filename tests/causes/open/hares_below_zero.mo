// cause: bounds
// culprits: hares
// time: 1 +- 2e-2
// why: a constant catch is subtracted: hares = 10 - 10 t to first order and exactly (birth = 0): 0 at t = 1, min = 0
//     is declared.
model HaresBelowZero "harvest of a population, independent of its size"
  parameter Real catch = 10;
  type Animals = Real(min = 0, unit = "1");
  Animals hares(start = 10, fixed = true);
  Real caught(start = 0, fixed = true), foxes(start = 2, fixed = true), ratio;
equation
  der(hares) = -catch;
  der(caught) = catch;
  der(foxes) = -0.1*foxes;
  ratio = hares/foxes;
  annotation(experiment(StopTime = 2));
end HaresBelowZero;
