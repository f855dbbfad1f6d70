// rule: a start at the end of its branch is named as that, and the run ends there
// expect exit 1
// expect warning 'the start at t = 0 is a singular point: equation "y^2 = time" (line 8) does not determine y there'
// expect error 'impasse at t = 0: there equation "y^2 = time" (line 8) does not determine y'
model ImpasseAtStart
  Real y(start = 0);
equation
  y^2 = time;
  annotation(experiment(StopTime = 1));
end ImpasseAtStart;
