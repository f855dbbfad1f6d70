// cause: none
// expect: i(0.0475) = -0.08072279067 +- 1e-4; v(0.0475) = 7.071067812 +- 1e-4
// why: the source gives the voltage of the capacitor, and its start, 0, is that of the source; i = C v' + v/R.
model HealthyCapacitorAcrossSine "index 2, start fixed and consistent"
  constant Real pi = 3.141592653589793;
  parameter Real C = 1e-4, R = 50;
  Real v(start = 0, fixed = true), vs, i, iC;
equation
  vs = 10*sin(100*pi*time);
  v = vs;
  C*der(v) = iC;
  i = iC + v/R;
  annotation(experiment(StopTime = 0.0475));
end HealthyCapacitorAcrossSine;
