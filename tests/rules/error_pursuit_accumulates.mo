// rule: a relation with pre() of a value that its event changes is compared again, however small the change is
// expect exit 1
// expect error 'events accumulate at t = 1.1111'
model ErrorPursuitAccumulates "a chaser who runs to the place where the prey was seen last"
  Real x(start = 0, fixed = true), y(start = 10, fixed = true);
  discrete Real target(start = 10, fixed = true);
equation
  der(x) = 10;
  der(y) = 1;
  when x >= pre(target) then
    target = y;
  end when;
  annotation(experiment(StopTime = 2));
end ErrorPursuitAccumulates;
