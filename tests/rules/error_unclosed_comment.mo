// rule: a comment without its end is reported where it begins
// expect exit 3
// expect error 5:15 'not closed'
model ErrorUnclosedComment
  Real x = 1; /* the height
  annotation(experiment(StopTime = 1));
end ErrorUnclosedComment;
