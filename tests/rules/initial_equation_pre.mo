// rule: pre(v) = e in an initial equation gives the value of v before the first event
// expect n(0.25) = 7
// expect n(0.75) = 8
model InitialEquationPre
  Integer n;
initial equation
  pre(n) = 7;
equation
  when time >= 0.5 then
    n = pre(n) + 1;
  end when;
  annotation(experiment(StopTime = 1));
end InitialEquationPre;
