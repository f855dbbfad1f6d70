// rule: reinit of a variable that is no state moves the one state on which it depends
// expect x(0.4) = exp(-0.4)
// expect x(0.5+) = 2.5
// expect y(0.5+) = 5
// expect y(1) = 5*exp(-0.5)
model ReinitFollows
  Real x(start = 1, fixed = true), y;
equation
  der(x) = -x;
  y = 2*x;
  when time > 0.5 then
    reinit(y, 5);
  end when;
  annotation(experiment(StopTime = 1));
end ReinitFollows;
