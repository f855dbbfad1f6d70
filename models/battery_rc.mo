// A lithium cell in the usual description: a voltage that depends on the charge, an inner
// resistance and an RC pair.  It is discharged by pulses of 2 A, 300 s on and 300 s off.
// reference: v = 3.46119489628 at t = 2500, tolerance 1e-5
// from: closed form
model BatteryRC "a battery cell discharged by pulses"
  parameter Real Q(unit = "A.s") = 7200, R0(unit = "Ohm") = 0.05;
  parameter Real R1(unit = "Ohm") = 0.03, C1(unit = "F") = 1000;
  Real soc(start = 0.9, fixed = true) "state of charge";
  Real v1(unit = "V", start = 0, fixed = true), v(unit = "V"), ocv(unit = "V"), i(unit = "A");
equation
  i = if mod(time, 600) < 300 then 2 else 0;
  der(soc) = -i/Q;
  C1*der(v1) = i - v1/R1;
  ocv = 3 + 1.2*soc - 0.3*tanh(10*(soc - 0.5))*soc*(1 - soc) - 0.2*exp(-30*soc);
  v = ocv - R0*i - v1;
  annotation(experiment(StopTime = 3600));
end BatteryRC;
