// cause: discontinuity
// culprits: we, ww, ratio, tau
// time: 3 +- 1e-3
// why: engine and wheels are coupled rigidly, we = ratio ww, and the ratio jumps from 12 to 8 at t = 3: the speeds would have to
//     jump by an impulse of the torque tau.
model GearShiftWithoutAClutch "car with a rigid drive train"
  parameter Real Je = 0.2, Jw = 90, b = 4;
  Real we(start = 120), ww(start = 10, fixed = true), tau, ratio;
equation
  ratio = if time < 3 then 12 else 8;
  Je*der(we) = 80 - 0.1*we - tau;
  Jw*der(ww) = ratio*tau - b*ww;
  we = ratio*ww;
  annotation(experiment(StopTime = 6));
end GearShiftWithoutAClutch;
