// cause: blow_up
// culprits: v, h
// time: 3.5462584 +- 2e-2
// why: v points upwards and is negative, so that drag must be +k v^2 (or -k v |v|); as written it accelerates the fall: v =
//     -sqrt(g/k) tan(sqrt(g k) t), infinite at pi/2/sqrt(g k) = 3.5463.
model DragWithWrongSign "skydiver"
  parameter Real g = 9.81, k = 0.02;
  Real h(start = 3000, fixed = true), v(start = 0, fixed = true), drag;
equation
  der(h) = v;
  drag = -k*v^2;
  der(v) = -g + drag;
  annotation(experiment(StopTime = 30));
end DragWithWrongSign;
