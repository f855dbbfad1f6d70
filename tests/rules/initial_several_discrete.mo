// rule: initial equations of several discrete variables set each its own value
// expect a(0.4) = 1
// expect b(0.4) = 2
// expect c(0.4) = 3
// expect d(0.4) = 4
// expect a(0.6) = 11
// expect b(0.6) = 12
// expect c(0.6) = 13
// expect d(0.6) = 14
model InitialSeveralDiscrete
  discrete Real a, b, c, d;
initial equation
  a = 1;
  b = 2;
  pre(c) = 3;
  pre(d) = 4;
equation
  when time > 0.5 then
    a = pre(a) + 10;
    b = pre(b) + 10;
    c = pre(c) + 10;
    d = pre(d) + 10;
  end when;
  annotation(experiment(StopTime = 1));
end InitialSeveralDiscrete;
