// cause: text
// culprits: ln
// why: the function is called log.
model LogarithmAsLn
  Real x(start = 1, fixed = true), S;
equation
  der(x) = 1;
  S = ln(x);
  annotation(experiment(StopTime = 1));
end LogarithmAsLn;
