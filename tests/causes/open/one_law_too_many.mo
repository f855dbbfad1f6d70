// cause: structure
// culprits: q12, h1, h2
// why: 6 equations for 5 unknowns: the flow q12 is given twice.
model OneLawTooMany "two communicating tanks"
  parameter Real A1 = 1, A2 = 2, k = 0.3;
  Real h1(start = 2, fixed = true), h2(start = 0.5, fixed = true), q12, qOut, V;
equation
  q12 = k*(h1 - h2);
  qOut = 0.1*h2;
  A1*der(h1) = -q12;
  A2*der(h2) = q12 - qOut;
  V = A1*h1 + A2*h2;
  q12 = qOut + 0.05;
  annotation(experiment(StopTime = 20));
end OneLawTooMany;
