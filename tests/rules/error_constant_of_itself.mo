// rule: a constant that depends on itself through a function is an error
// expect exit 3
// expect error 5:17 'depends on itself'
package P
  constant Real c = f(1);
  function f
    input Real u;
    output Real y;
  algorithm
    y := u + P.c;
  end f;
end P;
model ErrorConstantOfItself
  Real x(start = P.c, fixed = true);
equation
  der(x) = -x;
  annotation(experiment(StopTime = 1));
end ErrorConstantOfItself;
