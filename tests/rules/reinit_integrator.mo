// rule: equations of the same when read the state before its reinit
// expect y(0.4) = 0
// expect y(0.6) = 0.5
// expect x(0.5-) = 0.5
// expect x(0.5+) = 0
// expect x(0.9) = 0.4
model ReinitIntegrator
  Real x(start = 0, fixed = true);
  discrete Real y(start = 0, fixed = true);
equation
  der(x) = 1;
  when time >= 0.5 then
    y = x;
    reinit(x, 0);
  end when;
  annotation(experiment(StopTime = 1));
end ReinitIntegrator;
