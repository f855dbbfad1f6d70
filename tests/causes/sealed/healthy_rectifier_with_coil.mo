// cause: none
// expect: i(0.045) = 2.911796871 +- 1e-3; Q(0.045) = 0.0947678263 +- 1e-4
// why: the diode blocks with 100 kohm, which makes the time constant 1 microsecond, and conducts with 1 mohm; computed
//     by a fine Runge-Kutta integration in Python.
model HealthyRectifierWithCoil "half-wave rectifier with an inductive load"
  constant Real pi = 3.141592653589793;
  parameter Real U = 100, R = 5, L = 0.1, Ron = 1e-3, Goff = 1e-5;
  Real u, vd, i(start = 0, fixed = true), Q(start = 0, fixed = true);
equation
  u = U*sin(100*pi*time);
  vd = if i > 0 then Ron*i else i/Goff;
  L*der(i) = u - vd - R*i;
  der(Q) = i;
  annotation(experiment(StopTime = 0.045, Tolerance = 1e-7));
end HealthyRectifierWithCoil;
