// cause: text
// why: '#' begins no comment in the language.
model CommentWithHash
  Real x(start = 1, fixed = true);
equation
  der(x) = -x; # decay
  annotation(experiment(StopTime = 1));
end CommentWithHash;
