// rule: start values that grow without bound are named, in any unit and beside others
// expect exit 5
// expect error 'grows without bound'
model RunawayStartSphere
  Real p[3](start = {300, 400, 500}, fixed = {false, false, true}), force;
  Real w[3](start = {0, 0, 200}, fixed = {false, false, true});
  Real a(start = 0.6, fixed = true), b(start = -0.8), va(start = 0.1, fixed = true), vb, f;
equation
  p * p = 250000;
  der(p) = w;
  der(w) = -force * p + {0, 0, -9810};
  a^2 + b^2 = 1;
  der(a) = va;
  der(b) = vb;
  der(va) = -f * a;
  der(vb) = -f * b - 9.81;
  annotation(experiment(StopTime = 0.1));
end RunawayStartSphere;
