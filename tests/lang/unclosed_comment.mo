// expect-error: 4:10: this comment is not closed: '*/' is missing
// expect-error: 6:1: 'end Unclosed;' is missing for the model of line 3
model Unclosed
  Real x /* the rest
end Unclosed;
