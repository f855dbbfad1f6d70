// cause: none
// expect: v(1.0007) = -0.04730547 +- 5e-4; i(1.0007) = 0.08509793 +- 5e-4
// why: four hundred periods of a carrier of 400 Hz against a tone of 3 Hz, 800 switchings, each crossed with a finite slope;
//     linear in between, by Runge-Kutta from switching to switching.
model HealthyClassDAmplifier "pulse-width modulation by comparison with a saw-tooth"
  parameter Real f = 400, w0 = 300, z = 0.4;
  Real u, saw, out, v(start = 0, fixed = true), i(start = 0, fixed = true);
equation
  u = 0.5 + 0.4*sin(18.849555921538759*time);
  saw = mod(f*time, 1);
  out = if u > saw then 1 else -1;
  der(v) = w0*i;
  der(i) = w0*(out - v) - 2*z*w0*i;
  annotation(experiment(StopTime = 1.0007));
end HealthyClassDAmplifier;
