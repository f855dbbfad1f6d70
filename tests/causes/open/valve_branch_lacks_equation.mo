// cause: structure | text
// culprits: p, q
// why: if the valve is open there are equations for q and p, if it is closed only one for q: the branches of an if-equation
//     need the same number. The pressure of the closed valve was forgotten.
model ValveBranchLacksEquation "shut-off valve before a vessel"
  parameter Real supply = 3, Rv = 0.5, V = 2;
  Real p, q, level(start = 0, fixed = true);
  Boolean open;
equation
  open = time < 4;
  if open then
    p = supply - Rv*q;
    q = 0.4*p;
  else
    q = 0;
  end if;
  V*der(level) = q - 0.1*level;
  annotation(experiment(StopTime = 8));
end ValveBranchLacksEquation;
