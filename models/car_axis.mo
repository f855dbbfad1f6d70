// The axis of a car on a bumpy road: its ends hang on springs, its length and the way of the left
// end are constraints, index 3.  The light axis makes the forces fast.
// reference: yr = 0.3739110272653658 at t = 3, tolerance 1e-4
// reference: xl = 0.049345578427524094 at t = 3, tolerance 1e-3
// from: Test Set for IVP Solvers, recomputed with 20 digits
model CarAxis "an axis that rolls over bumps, index 3"
  parameter Real eps = 0.01, M = 10, L = 1, L0 = 0.5, r = 0.1, w = 10, g = 1;
  parameter Real km = M*eps^2/2;
  Real xl(start = 0), yl(start = 0.5), xr(start = 1), yr(start = 0.5) "ends of the axis";
  Real ul(start = -0.5), vl(start = 0), ur(start = -0.5), vr(start = 0) "their velocities";
  Real lam1, lam2 "forces of the constraints";
  Real xb, yb "right wheel", Ll, Lr "lengths of the springs";
equation
  yb = r*sin(w*time);
  xb = sqrt(L^2 - yb^2);
  Ll = sqrt(xl^2 + yl^2);
  Lr = sqrt((xr - xb)^2 + (yr - yb)^2);
  der(xl) = ul;
  der(yl) = vl;
  der(xr) = ur;
  der(yr) = vr;
  km*der(ul) = (L0 - Ll)*xl/Ll + lam1*xb + 2*lam2*(xl - xr);
  km*der(vl) = (L0 - Ll)*yl/Ll + lam1*yb + 2*lam2*(yl - yr) - km*g;
  km*der(ur) = (L0 - Lr)*(xr - xb)/Lr - 2*lam2*(xl - xr);
  km*der(vr) = (L0 - Lr)*(yr - yb)/Lr - 2*lam2*(yl - yr) - km*g;
  xl*xb + yl*yb = 0;
  (xl - xr)^2 + (yl - yr)^2 = L^2;
  annotation(experiment(StopTime = 3, Tolerance = 1e-7));
end CarAxis;
