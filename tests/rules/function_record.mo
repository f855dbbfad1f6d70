// rule: records as input and output of a function, built member by member
// (1 + 2i)(3 + i) = 1 + 7i
// expect z.re(1) = 1
// expect z.im(1) = 7
record Cplx
  Real re, im;
end Cplx;
function times
  input Cplx a, b;
  output Cplx c;
algorithm
  c.re := a.re*b.re - a.im*b.im;
  c.im := a.re*b.im + a.im*b.re;
end times;
model FunctionRecord
  Cplx z = times(Cplx(1, 2*time), Cplx(3, 1));
  annotation(experiment(StopTime = 1));
end FunctionRecord;
