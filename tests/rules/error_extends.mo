// rule: extends is refused: the model must be flat
// expect exit 3
// expect error 8 'extends'
model Base
  Real x = 1;
end Base;
model ErrorExtends
  extends Base;
  Real y = 2;
  annotation(experiment(StopTime = 1));
end ErrorExtends;
