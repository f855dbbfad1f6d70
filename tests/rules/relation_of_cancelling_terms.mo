// rule: the sign of a difference that is known to rounding errors only causes no events
// expect n(20) = 0
// expect x(20) = 20 +- 1e-6
// expect events 0
model RelationOfCancellingTerms "a and b are equal; d is an unknown that equals their difference"
  Real a(start = 1e6, fixed = true), b(start = 1e6, fixed = true), d, x(start = 0, fixed = true);
  Integer n(start = 0, fixed = true);
equation
  der(a) = 1e3*cos(time);
  der(b) = 1e3*(1 - 2*sin(time/2)^2);
  d + d*abs(x) + d^3 = a - b;
  der(x) = if d > 0 then 1 else 1;
  when d > 0 then
    n = pre(n) + 1;
  end when;
  annotation(experiment(StopTime = 20));
end RelationOfCancellingTerms;
