// rule: // to the end of the line, /* to the first */ without nesting
// expect x(1) = 5
/* a comment before the model, with // inside
   and a second line: x = 3; */
model Comments // behind the name /* not opened
  Real x /* between */ = /**/ 2 + /* 3 + */ 3;
  // Real y;
  /* /* not nested */
  annotation(experiment(StopTime = 1));
end Comments;
