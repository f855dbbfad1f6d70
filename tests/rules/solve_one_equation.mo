// rule: Modelica.Math.Nonlinear.solveOneNonlinearEquation finds the zero of a function in an interval
// expect r(0) = 0 +- 1e-10
// expect r(1) = 0 +- 1e-10
// expect c(1) = 2**(1/3) +- 1e-10
// expect e(1) = 5
model SolveOneEquation
  function f
    input Real u;
    input Real A;
    output Real y;
  algorithm
    y := A*u - 2 + sin(u);
  end f;
  function cube
    input Real u;
    output Real y;
  algorithm
    y := u^3 - 2;
  end cube;
  function line
    input Real u;
    output Real y;
  algorithm
    y := 5 - u;
  end line;
  Real x = Modelica.Math.Nonlinear.solveOneNonlinearEquation(function f(A = 1 + time), -1, 5, 1e-13);
  Real r = (1 + time)*x - 2 + sin(x);
  Real c = Modelica.Math.Nonlinear.solveOneNonlinearEquation(function cube(), -100, 1000);
  Real e = Modelica.Math.Nonlinear.solveOneNonlinearEquation(function line(), 5, 9) "a zero at an end";
  annotation(experiment(StopTime = 1));
end SolveOneEquation;
