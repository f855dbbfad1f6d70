// rule: what is wrong inside a function of the library is told at its call
// expect exit 3
// expect error 12:12 'argument 'u' of 'cube' is missing'
model ArgumentOfSolvedFunction
  function cube
    input Real A;
    input Real u;
    output Real y;
  algorithm
    y := A*u^3 - 2;
  end cube;
  Real c = Modelica.Math.Nonlinear.solveOneNonlinearEquation(function cube(), -100, 1000);
end ArgumentOfSolvedFunction;
