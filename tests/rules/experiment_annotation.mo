// rule: StartTime, StopTime and Interval of the experiment decide the run
// expect begin 1
// expect end 2
// expect rows 5
// expect x(2) = 1
model ExperimentAnnotation
  Real x(start = 0, fixed = true);
equation
  der(x) = 1;
  annotation(experiment(StartTime = 1, StopTime = 2, Interval = 0.25, Tolerance = 1e-6));
end ExperimentAnnotation;
