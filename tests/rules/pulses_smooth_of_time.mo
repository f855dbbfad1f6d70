// rule: smooth pulses of time that are far shorter than the steps before them are not stepped over
// run solve
// run solve --method bdf
// run solve --method radau
// run solve --method rodas
// run solve --method limex
// run solve --method dopri
// expect a(100) = 0.1*sqrt(pi) +- 1e-4
// expect b(100) = 0.01*pi +- 1e-3
// expect c(100) = 0.05 +- 1e-4
// expect d(100) = 1.1889238775 +- 1e-4
// expect e(100) = 10*0.001*sqrt(pi) +- 1e-4
// expect f(100) = 0.05*sqrt(pi) +- 1e-4
model PulsesSmoothOfTime
  Real a(start = 0, fixed = true), b(start = 0, fixed = true), c(start = 0, fixed = true);
  Real d(start = 0, fixed = true), e(start = 0, fixed = true), f(start = 0, fixed = true);
  Real u "algebraic";
  discrete Real tick(start = 0, fixed = true);
equation
  der(a) = exp(-((time - 5.3)/0.1)^2);
  der(b) = 1/(1 + ((time - 61.7)/0.01)^2);
  der(c) = (tanh((time - 40)/0.01) - tanh((time - 40.05)/0.01))/2;
  der(d) = sin(0.1*time)^4000;
  der(e) = exp(-((time - tick - 7)/0.001)^2) "after each tick, of which the tenth is at 90";
  u = exp(-((time - 77)/0.05)^2);
  der(f) = u;
  when sample(0, 10) then
    tick = time;
  end when;
  annotation(experiment(StopTime = 100, Tolerance = 1e-6));
end PulsesSmoothOfTime;
