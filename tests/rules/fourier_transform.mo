// rule: the Fourier transform of samples, of constants and of variables
// expect info(0) = 0
// expect a[1](0) = 10 +- 1e-9
// expect a[2](0) = 3 +- 1e-9
// expect a[4](0) = 0.5 +- 1e-9
// expect a[6](0) = 0 +- 1e-9
// expect p[2](0) = -pi/2 +- 1e-9
// expect p[4](0) = 0 +- 1e-9
// expect b[2](1) = 6 +- 1e-9
// expect odd(0) = 1
model FourierTransform
  constant Real pi = 3.14159265358979;
  Integer info, odd, info_b;
  Real a[16], p[16], b[16], q[16], x = 1 + time;
equation
  (info, a, p) = Modelica.Math.FastFourierTransform.Internal.rawRealFFT(
    {5 + 3*sin(2*pi*k/30) + 0.5*cos(2*pi*3*k/30) for k in 0:29});
  (info_b, b, q) = Modelica.Math.FastFourierTransform.Internal.rawRealFFT(
    {x*3*sin(2*pi*k/30) for k in 0:29});
  (odd) = Modelica.Math.FastFourierTransform.Internal.rawRealFFT({1, 2, 3});
  annotation(experiment(StopTime = 1));
end FourierTransform;
