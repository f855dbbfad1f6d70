function A.B.f "dotted class name"
  input Real x[2];
  output Real y;
algorithm
  y := x[1] .^ x[2];
end A.B.f;

class Flat
  protected parameter Real a.b[2].c(start = 1.0) = 2.0;
  Real a.b[2].d[3];
  Real cr2.'ra[1]'.'x';
  constant A.B.T q.x = A.B.T.one;
  A.B.R.S 'quoted name';
  Real x[1, 2].y;
equation
  a.b[2].c = A.B.f({1.0, 2.0});
  x[1, 2].y = .A.B.z;
algorithm
  a.b[2].d[1] := 3.0;
  when sample(0, 1) then
    a.b[2].d[2] := 1.0;
  elsewhen time > 2.0 then
    terminate("done");
  end when;
end Flat;
