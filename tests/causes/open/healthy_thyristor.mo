// cause: none
// expect: i(0.1055) = 11.07084966 +- 2e-3; Q(0.1055) = 0.5515948869 +- 2e-4
// why: fired at 60 degrees in each period, extinguished by the current itself at 237 degrees; the current in closed form, six
//     periods.
model HealthyThyristor "controlled rectifier with a coil"
  parameter Real R = 10, L = 0.05, U = 325, w = 314.15926535897932;
  Real u, i(start = 0, fixed = true), Q(start = 0, fixed = true);
  Boolean on(start = false, fixed = true);
equation
  u = U*sin(w*time);
  when sample(0.02/6, 0.02) then
    on = true;
  elsewhen i <= 0 then
    on = false;
  end when;
  L*der(i) = if on then u - R*i else 0;
  der(Q) = i;
  annotation(experiment(StopTime = 0.1055));
end HealthyThyristor;
