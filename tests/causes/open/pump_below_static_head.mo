// cause: no_solution
// culprits: q, hPump, hPipe
// time: 0
// why: the pump gives at most 20 m, the pipe asks for 30 m + 2 q^2: 20 - 5 q^2 = 30 + 2 q^2 has no real root for any
//     start.
model PumpBelowStaticHead "operating point of a pump that feeds a tank"
  parameter Real A = 3;
  Real q(start = 1), hPump, hPipe, level(start = 0.2, fixed = true), power, eta;
equation
  hPump = 20 - 5*q^2;
  hPipe = 30 + 2*q^2;
  hPump = hPipe;
  A*der(level) = q;
  eta = 0.7 - 0.1*(q - 1)^2;
  power = 9.81*q*hPump/eta;
  annotation(experiment(StopTime = 10));
end PumpBelowStaticHead;
