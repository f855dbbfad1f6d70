// A shuttle whose drag is prescribed as a function of its speed: the bank angle, which turns the
// lift, acts on the drag only through slope and altitude.  One control constraint, index 3.
// reference: beta = 51.73600675245 at t = 400.868734542, tolerance 1e-4
// reference: H = 250096.6113082 at t = 400.868734542, tolerance 1e-5
// from: Brenan, Campbell, Petzold, section 6.3; recomputed with the bank angle eliminated
// (tests/golden/reference_values.py)
model ShuttleIndex3 "space shuttle with prescribed drag, index 3"
  constant Real pi = 3.141592653589793, deg = pi/180;
  parameter Real ae = 20902900, mu = 0.1407653916e17, Om = 7.2921159e-5 "earth, in feet";
  parameter Real m = 5964.496499824, S = 2690, rho0 = 0.002378, hs = 23800;
  parameter Real alpha = 40 "angle of attack, degrees";
  parameter Real CL = 0.84 - 0.48*(38 - alpha)/26, CD = 0.78 - 0.58*(38 - alpha)/26;
  parameter Real q = 0.5*rho0*S/m, V0 = 24317.0798;
  parameter Real C0 = 3.974960446019, C1 = -0.01448947694635;
  parameter Real C2 = -0.2156171551995e-4, C3 = -0.1089609507291e-7;
  Real H(start = 264039.328, nominal = 1e5) "altitude";
  Real xi(start = 177.718047*deg, fixed = true), lat(start = 32.0417885*deg, fixed = true);
  Real V(start = V0, fixed = true, nominal = 1e4) "relative speed";
  Real gam(start = -0.749986488*deg), A(start = 62.7883367*deg, fixed = true);
  Real beta(start = 41) "bank angle, degrees";
equation
  der(H) = V*sin(gam);
  der(xi) = V*cos(gam)*sin(A)/((H + ae)*cos(lat));
  der(lat) = V/(H + ae)*cos(gam)*cos(A);
  der(V) = -q*exp(-H/hs)*CD*V^2 - mu/(H + ae)^2*sin(gam)
    - Om^2*(H + ae)*cos(lat)*(sin(lat)*cos(A)*cos(gam) - cos(lat)*sin(gam));
  der(gam) = q*exp(-H/hs)*CL*V*cos(beta*deg) + cos(gam)/V*(V^2/(H + ae) - mu/(H + ae)^2)
    + 2*Om*cos(lat)*sin(A)
    + Om^2*(H + ae)*cos(lat)/V*(sin(lat)*cos(A)*sin(gam) + cos(lat)*cos(gam));
  der(A) = q*exp(-H/hs)*CL*V*sin(beta*deg)/cos(gam) + V/(H + ae)*cos(gam)*sin(A)*tan(lat)
    - 2*Om*(cos(lat)*cos(A)*tan(gam) - sin(lat))
    + Om^2*(H + ae)*cos(lat)*sin(lat)*sin(A)/(V*cos(gam));
  q*exp(-H/hs)*CD*V^2 = C0 + C1*(V - V0) + C2*(V - V0)^2 + C3*(V - V0)^3;
  annotation(experiment(StartTime = 332.868734542, StopTime = 400.868734542, Tolerance = 1e-7));
end ShuttleIndex3;
