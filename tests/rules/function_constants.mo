// rule: a function sees constants of its package, and has its own
// expect y(1) = 35
package P
  constant Real k = 5;
  function f
    input Real x;
    output Real y;
  protected
    constant Real seven = 7;
  algorithm
    y := P.k*seven*x;
  end f;
end P;
model FunctionConstants
  Real y = P.f(time);
  annotation(experiment(StopTime = 1));
end FunctionConstants;
