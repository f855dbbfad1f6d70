// cause: bad_scaling
// culprits: p1, p2, drive, v
// why: the pressures are 1e22, numbers there are 2e6 apart, and the difference of 1 that drives the flow is lost: v should
//     be 1 - exp(-t).
model TwoHugePressures "a flow driven by the small difference of two huge pressures"
  parameter Real deep = 1e22;
  Real p1, p2, drive, v(start = 0, fixed = true), s(start = 1, fixed = true);
equation
  der(s) = 0;
  p1 = deep + s;
  p2 = deep + v;
  drive = p1 - p2;
  der(v) = drive;
  annotation(experiment(StopTime = 3));
end TwoHugePressures;
