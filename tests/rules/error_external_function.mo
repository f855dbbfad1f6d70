// rule: a call of an external function is refused by name
// expect exit 3
// expect error 'gammaFunction'
function gammaFunction
  input Real x;
  output Real y;
  external "C" y = tgamma(x);
end gammaFunction;
model ErrorExternalFunction
  Real y = gammaFunction(1 + time);
  annotation(experiment(StopTime = 1));
end ErrorExternalFunction;
