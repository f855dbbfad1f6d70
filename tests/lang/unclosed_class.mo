// expect-error: 6:5: the function of line 4 is named 'f', not 'Unclosed'
// expect-error: 7:1: 'end Unclosed;' is missing for the model of line 3
model Unclosed
  function f
    input Real x;
end Unclosed;
