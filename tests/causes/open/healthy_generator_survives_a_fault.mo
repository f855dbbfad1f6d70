// cause: none
// expect: delta(5) = 0.6527037116 +- 1e-3; w(5) = -0.2680512027 +- 2e-3
// why: at rest until a short circuit from 1 to 1.15 s, then it swings back (the angle stays below that of the unstable
//     equilibrium): Runge-Kutta from switching to switching.
model HealthyGeneratorSurvivesAFault "swing equation"
  parameter Real Pm = 0.8;
  Real P, delta(start = 0.46055399168132244, fixed = true), w(start = 0, fixed = true);
equation
  P = if time < 1 then 1.8 elseif time < 1.15 then 0.2 else 1.8;
  der(delta) = w;
  der(w) = 30*(Pm - P*sin(delta)) - 0.5*w;
  annotation(experiment(StopTime = 5));
end HealthyGeneratorSurvivesAFault;
