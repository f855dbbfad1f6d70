// rule: constants of a package are used by their dotted name
// expect y(2) = 19
package Nature
  constant Real g = 2*half;
  constant Real half = 4.75;
end Nature;
model ConstantInPackage
  Real y = Nature.g*time;
  annotation(experiment(StopTime = 2));
end ConstantInPackage;
