// rule: a modifier of a member from outside is stronger than the value that the class gives the record
// expect p.u(0) = 5
// expect q.u(0) = 7
// expect q.v(0) = 1
// expect r.u(0) = 8
record In
  Real d = 0.1;
  Real k = 1;
end In;
block P
  parameter In c = In(d = 5);
  Real u = c.d;
  Real v = c.k;
end P;
model Top
  P p;
  P q(c(d = 7));
  P r(c = In(d = 8));
end Top;
