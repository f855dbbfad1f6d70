// Crank, rod and slider as three bodies with the forces in two pins: five coordinates, four
// constraints, index 3.  A torque drives the crank; the slider moves against friction.
// reference: x3 = 0.8143278399978 at t = 2, tolerance 1e-4
// from: extrapolation method at 1e-13 on the crank angle (tests/golden/reference_values.py)
model SliderCrank "a slider crank with the forces in its pins, index 3"
  parameter Real r(unit = "m") = 0.3, l(unit = "m") = 1 "crank and rod";
  parameter Real J1(unit = "kg.m2") = 0.1, m2(unit = "kg") = 1, m3(unit = "kg") = 2;
  parameter Real J2(unit = "kg.m2") = m2*l^2/12;
  parameter Real g(unit = "m/s2") = 9.81, tau(unit = "N.m") = 5, d(unit = "N.s/m") = 10;
  Real phi(unit = "rad", start = 0.5, fixed = true) "of the crank";
  Real w(unit = "rad/s", start = 0, fixed = true);
  Real x2(unit = "m", start = 0.76), y2(unit = "m", start = 0.07) "centre of the rod";
  Real th(unit = "rad", start = -0.15) "of the rod";
  Real x3(unit = "m", start = 1.25) "slider";
  Real u2(unit = "m/s"), v2(unit = "m/s"), w2(unit = "rad/s"), u3(unit = "m/s");
  Real Fx(unit = "N"), Fy(unit = "N") "on the rod, from the crank";
  Real Gx(unit = "N"), Gy(unit = "N") "on the slider, from the rod";
equation
  der(phi) = w;
  der(x2) = u2;
  der(y2) = v2;
  der(th) = w2;
  der(x3) = u3;
  J1*der(w) = tau + r*(sin(phi)*Fx - cos(phi)*Fy);
  m2*der(u2) = Fx - Gx;
  m2*der(v2) = Fy - Gy - m2*g;
  J2*der(w2) = l/2*(sin(th)*(Fx + Gx) - cos(th)*(Fy + Gy));
  m3*der(u3) = Gx - d*u3;
  x2 - l/2*cos(th) = r*cos(phi);
  y2 - l/2*sin(th) = r*sin(phi);
  x2 + l/2*cos(th) = x3;
  y2 + l/2*sin(th) = 0;
  annotation(experiment(StopTime = 2, Tolerance = 1e-7));
end SliderCrank;
