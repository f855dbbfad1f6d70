// cause: contradiction
// culprits: w, Re, laminar
// time: 4.6 +- 1e-4
// why: the laminar law gives w = dp and Re = 1000 w, the turbulent one w = dp/1.6. With dp = 0.5 t the laminar flow reaches Re =
//     2300 at t = 4.6, but the turbulent one then has Re = 1438: neither law agrees with its condition.
model PipeBetweenLaminarAndTurbulent "resistance of a pipe chosen by the Reynolds number"
  Real dp, w, Re, r, V(start = 0, fixed = true);
  Boolean laminar;
equation
  dp = 0.5*time;
  Re = 1000*w;
  laminar = Re < 2300;
  r = if laminar then 1 else 1.6;
  dp = r*w;
  der(V) = w;
  annotation(experiment(StopTime = 6));
end PipeBetweenLaminarAndTurbulent;
