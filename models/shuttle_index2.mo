// A shuttle returns on a path whose slope and azimuth are prescribed; angle of attack and bank
// angle are the controls to be found.  Two control constraints, index 2.
// reference: beta = 26.37754497186 at t = 300, tolerance 1e-4
// reference: H = 14200.8113563 at t = 300, tolerance 1e-5
// from: extrapolation method at 1e-13 with the controls eliminated
// (tests/golden/reference_values.py); agrees with the table of Brenan, Campbell, Petzold
model ShuttleIndex2 "space shuttle on a prescribed path, index 2"
  constant Real pi = 3.141592653589793;
  parameter Real ae = 20902900, mu = 0.1407653916e17, Om = 7.2921159e-5 "earth, in feet";
  parameter Real m = 2.890532728, S = 1, rho0 = 0.002378, hs = 23800;
  Real H(start = 100000, fixed = true, nominal = 1e5) "altitude";
  Real xi(start = 0, fixed = true), lat(start = 0, fixed = true) "longitude and latitude, rad";
  Real V(start = 12000, fixed = true, nominal = 1e4) "relative speed";
  Real gam(start = -pi/180), A(start = pi/4) "slope and azimuth, rad";
  Real alpha(start = 2.7), beta(start = 0) "angle of attack and bank angle, degrees";
  Real r(nominal = 2e7), gr, rho(nominal = 1e-4), CL, lift, drag, b;
equation
  r = H + ae;
  gr = mu/r^2;
  rho = rho0*exp(-H/hs);
  CL = 0.01*alpha;
  lift = 0.5*rho*CL*S*V^2;
  drag = 0.5*rho*(0.04 + 0.1*CL^2)*S*V^2;
  b = beta*pi/180;
  der(H) = V*sin(gam);
  der(xi) = V*cos(gam)*sin(A)/(r*cos(lat));
  der(lat) = V/r*cos(gam)*cos(A);
  der(V) = -drag/m - gr*sin(gam)
    - Om^2*r*cos(lat)*(sin(lat)*cos(A)*cos(gam) - cos(lat)*sin(gam));
  der(gam) = lift*cos(b)/(m*V) + cos(gam)/V*(V^2/r - gr) + 2*Om*cos(lat)*sin(A)
    + Om^2*r*cos(lat)/V*(sin(lat)*cos(A)*sin(gam) + cos(lat)*cos(gam));
  der(A) = lift*sin(b)/(m*V*cos(gam)) + V/r*cos(gam)*sin(A)*tan(lat)
    - 2*Om*(cos(lat)*cos(A)*tan(gam) - sin(lat))
    + Om^2*r*cos(lat)*sin(lat)*sin(A)/(V*cos(gam));
  gam = -(1 + 9*(time/300)^2)*pi/180;
  A = (45 + 90*(time/300)^2)*pi/180;
  annotation(experiment(StopTime = 300));
end ShuttleIndex2;
