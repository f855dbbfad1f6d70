// An electric motor and a PI controller keep a speed; at 0.5 s a load is coupled.
// reference: w = 99.6928136997 at t = 0.6, tolerance 1e-4
// from: extrapolation method at 1e-13 (tests/golden/reference_values.py)
model DCMotor "a motor whose speed is controlled by a PI controller"
  parameter Real R(unit = "Ohm") = 1, L(unit = "H") = 5e-3, k(unit = "N.m/A") = 0.05;
  parameter Real J(unit = "kg.m2") = 1e-4, d(unit = "N.m.s/rad") = 1e-5;
  parameter Real Kp = 0.2, Ki = 4, wanted(unit = "rad/s") = 100;
  Real i(unit = "A", start = 0, fixed = true), w(unit = "rad/s", start = 0, fixed = true);
  Real integral(start = 0, fixed = true), error, v(unit = "V"), load(unit = "N.m");
equation
  error = wanted - w;
  der(integral) = error;
  v = Kp*error + Ki*integral;
  v = R*i + L*der(i) + k*w;
  J*der(w) = k*i - d*w - load;
  load = if time > 0.5 then 0.02 else 0;
  annotation(experiment(StopTime = 1));
end DCMotor;
