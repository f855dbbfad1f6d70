// cause: inconsistent_start
// culprits: iL, iq
// time: 0
// why: the coil is in series with a current source, so its current is no free state: iL = iq = 2 A at the start, but it
//     is fixed at 0. Without the fixed value the model is solvable.
model CoilBehindCurrentSource "current source, choke and resistor in series"
  parameter Real L = 0.02, R = 5, w = 314;
  Real iq, iL(start = 0, fixed = true), vL, vR, W(start = 0, fixed = true);
equation
  iq = 2*cos(w*time);
  iL = iq;
  vL = L*der(iL);
  vR = R*iL;
  der(W) = (vL + vR)*iL;
  annotation(experiment(StopTime = 0.1));
end CoilBehindCurrentSource;
