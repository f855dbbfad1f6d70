// cause: none
// expect: i(0.2002) = 4.830599242 +- 1e-4
// why: 400 switches at known times; between them i is an exponential, and the recursion over 200 periods was computed
//     in Python.
model HealthyPulsedCoil "a coil on pulses of 1 kHz"
  parameter Real U = 24, R = 2, L = 5e-3, T = 1e-3;
  Real i(start = 0, fixed = true), v;
equation
  v = if mod(time, T) < 0.4*T then U else 0;
  L*der(i) = v - R*i;
  annotation(experiment(StopTime = 0.2002, Tolerance = 1e-8));
end HealthyPulsedCoil;
