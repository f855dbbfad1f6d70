// rule: values of a record have sizes of their own where it leaves them open or they depend on members
// expect y(0) = 14
// expect z(0) = 7
// expect part.n(0) = 3
// expect part.z(1) = 15
// expect x[1](0) = 2
// expect x[3](0) = 6
// expect n(0) = 2
// expect g(0) = 3
record List
  parameter Boolean known;
  parameter Real p[:];
end List;
record Four
  extends List(final known = true, final p = {1, 2, 3, 4});
end Four;
function total
  input List w;
  output Real y;
algorithm
  y := sum(w.p) + size(w.p, 1);
end total;
record Curve
  parameter Real y[:];
  parameter Real eta[size(y, 1)];
end Curve;
function curve "a record is declared with some of its members"
  input Real P;
  output Curve e(y = {0, 1, 2}, eta = zeros(n));
protected
  constant Integer n = 3;
algorithm
  for j in 1:n loop
    e.eta[j] := P*j;
  end for;
end curve;
function last
  input Curve e;
  input Real x;
  output Real z;
algorithm
  z := x*e.eta[size(e.y, 1)];
end last;
record Data
  parameter Real P = 2;
  final parameter Curve e = curve(P = P);
end Data;
model Part
  Data d;
  Real z = last(d.e, time);
  Integer n = size(d.e.y, 1);
end Part;
record Matrices
  parameter Integer n;
  Real L[n, n];
  Real R;
end Matrices;
function matrices
  input Real r[:];
  output Matrices c(n = size(r, 1));
algorithm
  c.L := 2*diagonal(r);
  c.R := sum(r);
end matrices;
record Glass
  parameter Real x = 1;
  parameter Real t[:] = {0.5};
end Glass;
record Thick = Glass(x = 2);
record Panes
  parameter Glass glass[:];
  final parameter Integer n = size(glass, 1);
end Panes;
record Double = Panes(glass = {Thick(), Glass(x = 3)});
model Top
  parameter List w = Four();
  Real y = total(w);
  Real z = total(List(known = false, p = {2, 3}));
  Part part(d(P = 5));
  parameter Matrices c = matrices({1, 2, 3});
  Real x[3] = c.L*ones(3);
  Double panes;
  Integer n = panes.n;
  Real g = panes.glass[2].x;
end Top;
