// rule: names of types and functions from other languages name the cure
// expect exit 3
// expect error 20:3 'unknown type 'double': write 'Real''
// expect error 21:3 'unknown type 'int': write 'Integer''
// expect error 22:3 'did you mean 'Boolean''
// expect error 23:3 'declare it: type Tension'
// expect error 26:11 'log(x)'
// expect error 27:11 'did you mean 'sin''
// expect error 28:11 'x^y'
// expect error 29:11 'the time is 'time''
// expect error 30:11 'constant Real pi'
// expect error 31:11 'x^2'
// expect error 32:11 'der(x)'
// expect error 33:11 'x[1]'
// expect error 34:11 'der(x)'


model ErrorWords
  Real a[9], x;
  double u;
  int k;
  Boolen b;
  Modelica.Units.SI.Tension v;
  equation
  x = 1;
   a[1] = ln(2);
   a[2] = Sin(2);
   a[3] = pow(2, 3);
   a[4] = t;
   a[5] = Pi;
   a[6] = sqr(2);
   a[7] = ddt(x);
   a[8] = x(1);
   a[9] = dx;
  annotation(experiment(StopTime = 1));
end ErrorWords;
