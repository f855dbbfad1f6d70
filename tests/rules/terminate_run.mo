// rule: terminate() ends the run at that time, with success
// expect exit 0
// expect end 0.5
// expect x(0.25) = 0.25
model TerminateRun
  Real x(start = 0, fixed = true);
equation
  der(x) = 1;
  when x >= 0.5 then
    terminate("half is enough");
  end when;
  annotation(experiment(StopTime = 1));
end TerminateRun;
