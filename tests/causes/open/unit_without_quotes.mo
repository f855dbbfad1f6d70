// cause: text
// culprits: kPa, unit
// why: the unit is a string; kPa without quotes is an unknown name.
model UnitWithoutQuotes "air vessel"
  parameter Real V = 0.2;
  Real p(unit = kPa, start = 100, fixed = true), q;
equation
  q = 0.01*(600 - p);
  V*der(p) = q;
  annotation(experiment(StopTime = 100));
end UnitWithoutQuotes;
