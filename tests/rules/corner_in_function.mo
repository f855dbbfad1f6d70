// rule: corners inside a function that runs as it is are found by all methods
// run solve --method limex
// run solve --method rodas
// run solve --method radau
// expect x(1*4/7) = 0.525278802 +- 2e-4
// expect x(2*4/7) = 0.540054754 +- 2e-4
// expect x(3*4/7) = 0.272758178 +- 2e-4
// expect x(4*4/7) = 1.22001272 +- 2e-4
// expect x(5*4/7) = 1.99480892 +- 2e-4
// expect x(6*4/7) = 2.43235038 +- 2e-4
// expect x(7*4/7) = 2.67943797 +- 2e-4
model CornerInFunction
  function curve "a line through five points"
    input Real t;
    output Real y;
  protected
    Real x[5] = {0, 0.5, 1.3, 2.1, 4}, v[5] = {0, 2, -1, 3, 3};
    Integer k;
  algorithm
    k := 1;
    while k < 4 and t > x[k + 1] loop
      k := k + 1;
    end while;
    y := v[k] + (v[k + 1] - v[k])*(t - x[k])/(x[k + 1] - x[k]);
  end curve;
  Real x(start = 0, fixed = true);
equation
  der(x) = curve(time) - x;
  annotation(experiment(StopTime = 4));
end CornerInFunction;
