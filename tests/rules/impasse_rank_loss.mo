// rule: where constraints lose rank, the run ends and names what is not determined
// A slider crank of two equal bars, driven by a torque of 1 on the first.  Upright (a = pi/2, b = -a), the
// constraints of its pin and its slider depend on each other.  The sum of the two bars' equations gives
// l2 = -1/(2*cos(a)), which is unbounded there; a alone follows an ordinary differential equation, and is
// pi/2 at t = 0.3081910642; the steps end up to 5e-4 before, where rounding errors of the constraints exceed
// the tolerance of l2, or in a step so short that the error test does not see l2 pass from one side of its pole to
// the other, as with rtol 2.399e-5 on some machines.  Without the torque l2 = 0 and the motion goes on: c030_singular_points.c.
// run solve --rtol 1e-3
// run solve --rtol 1e-4
// run solve --rtol 2.399e-5
// run solve --rtol 1e-5
// run solve --rtol 1e-6
// run solve --rtol 1e-7
// run solve --rtol 1e-8
// run solve --rtol 1e-9
// expect exit 1
// expect error 'impasse at t = 0.30'
// expect error 'the equations do not determine l2'
model ImpasseRankLoss
  Real a(start = 1, fixed = true), b(start = -1), w(start = 2, fixed = true), wb, x, vx, l1, l2;
equation
  der(a) = w;
  der(b) = wb;
  der(x) = vx;
  der(w) = -l1*sin(a) + l2*cos(a) + 1;
  der(wb) = -l1*sin(b) + l2*cos(b);
  der(vx) = -l1 - 0.2*vx;
  x = cos(a) + cos(b);
  0 = sin(a) + sin(b);
  annotation(experiment(StopTime = 6));
end ImpasseRankLoss;
