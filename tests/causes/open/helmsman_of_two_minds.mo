// cause: chattering
// culprits: heading, rudder
// why: rudder hard over to either side by the sign of heading + 2 rate: on this line the rudder (1) overcomes the wind (0.2) and the
//     motion along it (rate/2 below 0.2), from both sides, so that it is switched infinitely often.
model HelmsmanOfTwoMinds
  Real heading(start = 0.2, fixed = true), rate(start = 0, fixed = true), s;
equation
  s = heading + 2*rate;
  der(heading) = rate;
  der(rate) = 0.2 - (if s > 0 then 1 else -1);
  annotation(experiment(StopTime = 10));
end HelmsmanOfTwoMinds;
