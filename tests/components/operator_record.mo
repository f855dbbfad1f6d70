// rule: operators of a record of the file
// expect a.re(0) = 5
// expect b.re(0) = -5
// expect b.im(0) = 10
// expect c.re(0) = 8
// expect s.im(0) = 6
// expect n.re(0) = -1
// expect n.im(0) = -2
operator record C
  Real re, im;
  encapsulated operator 'constructor'
    function fromReal
      import C;
      input Real re;
      input Real im = 0;
      output C r(re = re, im = im);
    algorithm
    end fromReal;
  end 'constructor';
  encapsulated operator '*'
    function mul
      import C;
      input C a, b;
      output C c;
    algorithm
      c := C(a.re*b.re - a.im*b.im, a.re*b.im + a.im*b.re);
    end mul;
  end '*';
  encapsulated operator function '+'
    import C;
    input C a, b;
    output C c;
  algorithm
    c := C(a.re + b.re, a.im + b.im);
  end '+';
  encapsulated operator '-'
    function neg
      import C;
      input C a;
      output C c;
    algorithm
      c := C(-a.re, -a.im);
    end neg;
    function sub
      import C;
      input C a, b;
      output C c;
    algorithm
      c := C(a.re - b.re, a.im - b.im);
    end sub;
  end '-';
  encapsulated operator function '=='
    import C;
    input C a, b;
    output Boolean r;
  algorithm
    r := a.re == b.re and a.im == b.im;
  end '==';
  encapsulated operator function '0'
    import C;
    output C c;
  algorithm
    c := C(0, 0);
  end '0';
end C;
model Top
  parameter C z = C(1, 2);
  C w = C(3, 4);
  C a = z*C(1, -2);
  C b = z*w;
  C c = w + 5.0;
  parameter Boolean d = C(1, 2) == z;
  C v[3] = {z, z, z};
  C s = v[1] + v[2] + v[3];
  C n = -z;
end Top;
