// rule: short pulses that depend on time alone are never stepped over, whatever the method
// run solve
// run solve --method bdf
// run solve --method radau
// run solve --method rodas
// run solve --method limex
// run solve --method dopri
// run solve --rtol 1e-3
// run solve --method radau --rtol 1e-9
// run solve --method dopri --rtol 1e-10
// expect a(10) = 2 +- 1e-4
// expect b(10) = 2 +- 1e-4
// expect c(10) = 1 +- 1e-4
// expect d(10) = 10 +- 1e-4
// expect e(10) = 5.656854485 +- 1e-3
// expect f(10) = 2 +- 1e-4
model PulsesOfTime
  function pulse
    input Real u;
    output Real y;
  algorithm
    if abs(u) < 1e-3 then
      y := 1000;
    else
      y := 0;
    end if;
  end pulse;
  Real a(start = 0, fixed = true), b(start = 0, fixed = true), c(start = 0, fixed = true);
  Real d(start = 0, fixed = true), e(start = 0, fixed = true), f(start = 0, fixed = true);
  Real u "an algebraic variable that jumps";
equation
  der(a) = noEvent(if abs(time - 5.3) < 1e-3 then 1000 else 0);
  u = noEvent(if time > 5.3 and time < 5.302 then 1000 else 0);
  der(b) = u;
  der(c) = max(0, 1e6*(1e-3 - abs(time - 7.1)));
  der(d) = smooth(1, if mod(time + 0.5, 1) < 1e-3 then 1000 else 0);
  der(e) = noEvent(if sin(time) > 0.999999 then 1000 else 0);
  der(f) = pulse(time - 3.3);
  annotation(experiment(StopTime = 10, Tolerance = 1e-6));
end PulsesOfTime;
