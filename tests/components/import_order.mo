// rule: a name that is imported by itself comes before those of import P.*
// expect part.y(0) = 4
encapsulated package P
  constant Real x = 2;
end P;
encapsulated package Q
  constant Real x = 4;
end Q;
model Part
  import P.*;
  import Q.x;
  Real y = x;
end Part;
model Top
  Part part;
end Top;
