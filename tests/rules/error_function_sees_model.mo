// rule: a function does not see the variables of the model around it
// expect exit 3
// expect error 9 'level'
model ErrorFunctionSeesModel
  function f
    input Real x;
    output Real y;
  algorithm
    y := x + level;
  end f;
  Real level = time;
  Real z = f(1);
  annotation(experiment(StopTime = 1));
end ErrorFunctionSeesModel;
