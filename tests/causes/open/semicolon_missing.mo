// cause: text
// why: the line of q has no semicolon.
model SemicolonMissing
  Real h(start = 1, fixed = true), q;
equation
  q = 0.5*h
  der(h) = -q;
end SemicolonMissing;
