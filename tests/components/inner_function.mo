// rule: an outer function is the nearest inner one
// expect p.y(0) = 12
// expect q.p.y(0) = 8
partial function Field
  input Real x;
  output Real y;
end Field;
model Part
  outer function field = Field;
  Real y = field(4);
end Part;
model Sub
  inner function field
    input Real x;
    output Real y;
  algorithm
    y := 2*x;
  end field;
  Part p;
end Sub;
model Top
  inner function field
    input Real x;
    output Real y;
  algorithm
    y := 3*x;
  end field;
  Part p;
  Sub q;
end Top;
