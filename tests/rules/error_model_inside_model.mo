// rule: a model as the type of a component is refused: the model must be flat
// expect exit 3
// expect error 8 'Part'
model Part
  Real x = 1;
end Part;
model ErrorModelInsideModel
  Part p;
  Real y = 2;
  annotation(experiment(StopTime = 1));
end ErrorModelInsideModel;
