// cause: domain_error
// culprits: h, qOut
// time: 1.5204209 +- 1e-3
// why: der(h) = -sqrt(h) - 0.1: the time to h = 0 is the integral of dh/(sqrt(h) + 0.1) = 2 - 0.2 ln 11; there the
//     slope is -0.1 and h becomes negative.
model TankRunsDry "Torricelli's law and a pump that does not stop"
  Real h(start = 1, fixed = true), qOut, qPump, V, T(start = 20, fixed = true);
equation
  qOut = sqrt(h);
  qPump = 0.1;
  der(h) = -qOut - qPump;
  V = 2*h;
  der(T) = 0.1*(15 - T);
  annotation(experiment(StopTime = 3));
end TankRunsDry;
