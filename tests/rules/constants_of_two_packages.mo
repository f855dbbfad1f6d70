// rule: packages may use the same name for different constants; the model's own hides them all
// expect y(1) = 23
// expect z(1) = 7
package A
  constant Real k = 2;
  constant Real m = 1;
  package Inner
    constant Real k = 20;
  end Inner;
end A;
package B
  constant Real k = 1;
end B;
model ConstantsOfTwoPackages
  parameter Real m = 7;
  Real y = (A.k + A.Inner.k + B.k)*time;
  Real z = m*time;
  annotation(experiment(StopTime = 1));
end ConstantsOfTwoPackages;
