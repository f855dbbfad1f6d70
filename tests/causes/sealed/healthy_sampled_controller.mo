// cause: none
// expect: y(5.005) = 0.9921251323 +- 1e-5; u(5.005) = 0.9967239355 +- 1e-5; n(5.005) = 500 +- 0.1
// why: between samples y is an exponential; the recursion over the 500 samples was computed in Python.
model HealthySampledController "digital PI controller, 100 samples per second"
  parameter Real Ts = 0.01, Kp = 3, Ki = 2;
  Real y(start = 0, fixed = true);
  discrete Real u(start = 0, fixed = true), I(start = 0, fixed = true), e(start = 0, fixed = true);
  Integer n(start = 0, fixed = true);
equation
  der(y) = u - y;
  when sample(Ts, Ts) then
    e = 1 - y;
    I = pre(I) + Ki*Ts*e;
    u = Kp*e + I;
    n = pre(n) + 1;
  end when;
  annotation(experiment(StopTime = 5.005));
end HealthySampledController;
