// rule: a start where branches end is reported as singular, whether or not a branch can be followed from there
// expect warning 'the start at t = 0 is a singular point: equation "y^2 = time" (line 6) does not determine y there'
model SingularStart
  Real y(start = 0);
equation
  y^2 = time;
  annotation(experiment(StopTime = 1));
end SingularStart;
