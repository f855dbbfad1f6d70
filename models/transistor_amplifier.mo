// Two transistors, five capacitors, eight node voltages.  Capacitors between two nodes make the
// matrix of the derivatives singular without any equation being free of derivatives: index 1 all
// the same, and the start must be consistent.
// reference: y8 = 1.2369958680915476 at t = 0.2, tolerance 1e-3
// from: Test Set for IVP Solvers, recomputed with 20 digits
model TransistorAmplifier "a two-transistor amplifier, index 1"
  constant Real pi = 3.141592653589793;
  parameter Real ub = 6, uf = 0.026, alpha = 0.99, beta = 1e-6;
  parameter Real r0 = 1000, r = 9000;
  parameter Real c1 = 1e-6, c2 = 2e-6, c3 = 3e-6, c4 = 4e-6, c5 = 5e-6;
  Real y1(start = 0), y2(start = 3), y3(start = 3), y4(start = 6);
  Real y5(start = 3), y6(start = 3), y7(start = 6), y8(start = 0) "the output";
  Real ue "the input", g23, g56 "currents of the transistors";
equation
  ue = 0.1*sin(200*pi*time);
  g23 = beta*(exp((y2 - y3)/uf) - 1);
  g56 = beta*(exp((y5 - y6)/uf) - 1);
  c1*(der(y2) - der(y1)) = (y1 - ue)/r0;
  c1*(der(y1) - der(y2)) = y2/r + (y2 - ub)/r + (1 - alpha)*g23;
  -c2*der(y3) = y3/r - g23;
  c3*(der(y5) - der(y4)) = (y4 - ub)/r + alpha*g23;
  c3*(der(y4) - der(y5)) = y5/r + (y5 - ub)/r + (1 - alpha)*g56;
  -c4*der(y6) = y6/r - g56;
  c5*(der(y8) - der(y7)) = (y7 - ub)/r + alpha*g56;
  c5*(der(y7) - der(y8)) = y8/r;
  annotation(experiment(StopTime = 0.2));
end TransistorAmplifier;
