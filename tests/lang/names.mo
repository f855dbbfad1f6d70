// expect-error: 8:5: the function of line 7 is named 'f', not 'g'
// expect-error: 10:10: subscripts inside a declared name must be integer literals
// expect-error: 11:8: 'final' is written twice
// expect-error: 12:15: expected a name behind the type 'p', or the type is missing
// expect-error: 15:5: the model of line 9 is named 'Names', not 'Other'
// expect-error: 16:7: this name cannot have subscripts
function f
end g;
model Names
    Real a[i].b;
 final final Real q;
  parameter p = 3;
equation
  x = 1;
end Other;
model End[2] end End;
