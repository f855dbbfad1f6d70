// cause: domain_error
// culprits: tau, gd
// time: 1.5707963 +- 2e-3
// why: the power law K gd^0.6 of the shear stress is written without sign and absolute value; the shear rate 2 cos(t) becomes
//     negative at pi/2, where the power is not defined.
model PaintStirredBothWays "shear-thinning fluid in a rheometer that oscillates"
  parameter Real K = 3;
  Real gd, tau, heat(start = 0, fixed = true);
equation
  gd = 2*cos(time);
  tau = K*gd^0.6;
  der(heat) = tau*gd;
  annotation(experiment(StopTime = 6));
end PaintStirredBothWays;
