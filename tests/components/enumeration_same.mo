// rule: enumerations with the same literals are one type, others are not
// expect part.y(0) = 2
// expect part.z(0) = 1
type Here = enumeration(none, fixed);
type There = enumeration(none, fixed);
model Part
  parameter Here kind = Here.none;
  Real y = if kind == Here.fixed then 2 else 1;
  Real z = if kind == There.fixed then 1 else 0;
end Part;
model Top
  parameter There given = There.fixed;
  Part part(kind = given);
end Top;
