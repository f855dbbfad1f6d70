// cause: bad_scaling
// or: x(10) = -8.390715290764524e-12 +- 1e-15
// culprits: x, v
// why: x = 1e-11 cos(t) is coupled with v only, and both stay below the default absolute tolerance of 1e-9; that the
//     temperature is large does not help them.
model VibrationBesideAFurnace "a tiny vibration, and a temperature that has nothing to do with it"
  Real x(start = 1e-11, fixed = true), v(start = 0, fixed = true), T(start = 400, fixed = true);
equation
  der(x) = v;
  der(v) = -x;
  der(T) = 0.1*(300 - T);
  annotation(experiment(StopTime = 10));
end VibrationBesideAFurnace;
