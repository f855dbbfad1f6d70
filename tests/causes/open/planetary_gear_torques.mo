// cause: redundant_equations | undetermined_variable
// culprits: ts, tr, tc
// why: of the three relations between the torques of an ideal planetary gear only two are independent: with tr = k ts
//     and tc = -(1 + k) ts the sum ts + tr + tc is zero by itself. The motion of the ring (its inertia, or a brake) was
//     forgotten, so that the numbers of equations and unknowns agree, and ts can be anything.
model PlanetaryGearTorques "sun driven, carrier loaded, ring"
  parameter Real k = 2.5, Js = 0.01, Jc = 0.2, Tm = 4, d = 0.05;
  Real ws(start = 0, fixed = true), wc(start = 0, fixed = true), wr, ts, tr, tc;
equation
  (1 + k)*wc = ws + k*wr;
  tr = k*ts;
  tc = -(1 + k)*ts;
  ts + tr + tc = 0;
  Js*der(ws) = Tm - ts;
  Jc*der(wc) = -tc - d*wc;
  annotation(experiment(StopTime = 3));
end PlanetaryGearTorques;
