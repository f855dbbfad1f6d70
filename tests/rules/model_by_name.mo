// rule: --model chooses one of several models
// run solve --model Second
// expect x(1) = 2
package Several
  constant Real slope = 2;
  model First
    Real x(start = 0, fixed = true);
  equation
    der(x) = 1;
    annotation(experiment(StopTime = 1));
  end First;
  model Second
    Real x(start = 0, fixed = true);
  equation
    der(x) = slope;
    annotation(experiment(StopTime = 1));
  end Second;
  model Third
    Real x(start = 0, fixed = true);
  equation
    der(x) = 3;
    annotation(experiment(StopTime = 1));
  end Third;
end Several;
