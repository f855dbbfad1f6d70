// expect-error: 5:1: expected an expression, but the text ends here
// expect-error: 5:1: 'end EndsEarly;' is missing for the model of line 3
model EndsEarly
  Real x =
