// rule: pre(v) is the value before the event; between events it is v
// a and b exchange with a delay of one tick: fires at 0, 0.25, 0.5, 0.75
// ticks give (a, b) = (0, 1), (1, 1), (1, 2), (2, 2)
// expect a(0.1) = 0
// expect b(0.1) = 1
// expect a(0.6) = 1
// expect b(0.6) = 2
// expect a(0.9) = 2
// expect p(0.9) = 2
model PreOperator
  Integer a(start = 0, fixed = true), b(start = 0, fixed = true), p = pre(a);
equation
  when sample(0, 0.25) then
    a = pre(b);
    b = pre(a) + 1;
  end when;
  annotation(experiment(StopTime = 1));
end PreOperator;
