//! base 0.1.0
// rule: Base Modelica as OpenModelica prints it: a package with functions and model 'N'
// expect a.b[1].c(1) = 5
// expect y(1) = 12
package 'N'
  constant Real 'N.k' = 2.0;
  function 'twice'
    input Real 'u';
    output Real 'v';
  algorithm
    'v' := 2.0 * 'u';
  end 'twice';
  model 'N'
    Real 'a.b[1].c'(start = 3.0, fixed = true);
    Real 'y';
  equation
    der('a.b[1].c') = 'N.k';
    'y' = 'twice'('a.b[1].c') + 'N.k';
    annotation(experiment(StartTime = 0.0, StopTime = 1.0));
  end 'N';
end 'N';
