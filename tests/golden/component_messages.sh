mkdir Lib
cat > Lib/package.mo <<'END'
package Lib "a library"
  function half
    input Real x;
    output Real y = x/2;
  end half;
  connector Pin
    Real v;
    flow Real i;
  end Pin;
  connector Port
    Real v;
    flow Real i;
    Real T;
  end Port;
  partial model TwoPins
    Pin p, n;
  end TwoPins;
  model Resistor
    extends TwoPins;
    parameter Real R = 1;
    final parameter Real G = 1/R;
  equation
    p.v - n.v = R*p.i;
    p.i + n.i = 0;
  end Resistor;
  model Winding
    parameter Integer n = 2;
    parameter Boolean hot = false;
    parameter Real R[n] = fill(1.0, n);
    Resistor r[n](R = R);
    Port port if hot;
  end Winding;
  model Motor
    parameter Real R = 1;
    Winding winding(R = {R, R});
    Resistor extra(R = R);
  end Motor;
  model World
    parameter Real g = 9.81;
  end World;
  model Body
    outer World world;
    Real f = world.g;
  end Body;
  partial package Base
    replaceable partial function density
      input Real T;
      output Real d;
    end density;
  end Base;
  model Pipe
    replaceable package Medium = Base;
    Real d = Medium.density(300);
  end Pipe;
  model Holder
    replaceable TwoPins part;
  end Holder;
  model Loose
    Pin p;
    Real x, y;
  equation
    p.v = x + y;
    x = 1;
  end Loose;
end Lib;
END
try() {
    echo "== $1"
    printf '%s\n' "$1" > m.mo
    daedal check m.mo --path .
}
exec 2>&1
try 'model A Lib.Resistr r; end A;'
try 'model A Liib.Resistor r; end A;'
try 'model A Lib.Motor m(winding(r(each RR = 2))); end A;'
try 'model A Lib.Motor m(winding(r(each G = 2))); end A;'
try 'model A Lib.Holder h; end A;'
try 'model A Lib.Pipe p; end A;'
try 'model A model B Lib.Port a; Lib.Pin b; equation connect(a, b); end B; B b; end A;'
try 'model A model B Lib.Pin a[3], b[2]; equation connect(a, b); end B; B b; end A;'
try 'model A Lib.Motor m(winding(n = 3, R = {1, 2})); end A;'
try 'model A Lib.Motor m(winding(n = 1.5)); end A;'
try 'model A Lib.Motor m(winding(hot = 2)); end A;'
try 'model A Lib.Motor m(R = 0); end A;'
try 'model A Lib.Body b; end A;'
try 'model A Lib.Loose a; Lib.Resistor r; equation connect(a.p, r.p); end A;'
echo "== a text without components that calls a function of the library"
printf 'model A Real x = Lib.half(6); end A;' > m.mo
daedal solve m.mo --path . --at 1
daedal solve m.mo --at 1
