// rule: a model that the file does not contain is named
// run solve --model Fourth
// expect exit 2
// expect error 'the file contains no model 'Fourth''
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
