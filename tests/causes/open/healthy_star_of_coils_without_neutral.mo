// cause: none
// expect: ia(0.103) = -32.69658 +- 0.01; ic(0.103) = 75.58411 +- 0.01; vn(0.103) = -4.355353 +- 0.01
// why: the three currents add up to zero, so that ic is no state of its own; the star point is the mean of the unbalanced
//     voltages. Complex amplitudes and exp(-R t/L) give the values.
model HealthyStarOfCoilsWithoutNeutral "unbalanced star without a neutral wire"
  parameter Real R = 0.5, L = 0.01, w = 314.1592653589793, pi = 3.141592653589793;
  Real va, vb, vc, vn, ia(start = 0, fixed = true), ib(start = 0, fixed = true), ic(start = 0);
equation
  va = 325*sin(w*time);
  vb = 325*sin(w*time - 2*pi/3);
  vc = 200*sin(w*time + 2*pi/3);
  L*der(ia) = va - vn - R*ia;
  L*der(ib) = vb - vn - R*ib;
  L*der(ic) = vc - vn - R*ic;
  ia + ib + ic = 0;
  annotation(experiment(StopTime = 0.103));
end HealthyStarOfCoilsWithoutNeutral;
