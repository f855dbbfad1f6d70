// rule: short pulses that depend on states are never stepped over, whatever the method
// run solve
// run solve --method bdf
// run solve --method radau
// run solve --method rodas
// run solve --method limex
// run solve --rtol 1e-3
// run solve --method radau --rtol 1e-9
// run solve --method radau --rtol 1e-10
// run solve --method limex --rtol 1e-7
// run solve --method rodas --rtol 1e-9
// Widths: 2e-3 in s, whose slope is 1; ln(0.5/0.499) in x = exp(-t).
// expect a(10) = 2 +- 0.01
// expect b(10) = 4 +- 0.02
// expect c(10) = 2.002002671 +- 0.01
// expect d(10) = 10 +- 0.05
// expect e(10) = 18 +- 0.1
model PulsesOfStates
  function comb
    input Real u;
    output Real y;
  algorithm
    y := 0;
    for i in 1:9 loop
      if abs(u - i - 0.3) < 1e-3 then
        y := 1000;
      end if;
    end for;
  end comb;
  Real s(start = 0, fixed = true), x(start = 1, fixed = true), p;
  Real a(start = 0, fixed = true), b(start = 0, fixed = true), c(start = 0, fixed = true);
  Real d(start = 0, fixed = true), e(start = 0, fixed = true);
equation
  der(s) = 1;
  der(x) = -x;
  p = noEvent(if x < 0.5 and x > 0.499 then 1000 else 0);
  der(a) = noEvent(if abs(s - 5.3) < 1e-3 then 1000 else 0);
  der(b) = noEvent(if min(abs(s - 2.7), abs(s - 8.1)) < 1e-3 then 1000 else 0);
  der(c) = p;
  der(d) = noEvent(if mod(s + 0.5, 1) < 1e-3 then 1000 else 0);
  der(e) = comb(s);
  annotation(experiment(StopTime = 10, Tolerance = 1e-6));
end PulsesOfStates;
