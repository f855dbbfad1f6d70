// cause: none
// expect: pH(130) = 12.11539348 +- 1e-4; pH(50) = 4.74519601 +- 1e-4
// run: -n 130
// why: 1 m3 of acetic acid, 100 mol/m3, and caustic soda; the point of equivalence is passed at 100 s, where pH rises by 5
//     within a second. The charge balance, solved by bisection.
model HealthyTitrationThroughTheJump "titration of acetic acid"
  parameter Real Ka = 1.8e-2, Kw = 1e-8, q = 0.01, cb = 100;
  Real V(start = 1, fixed = true), nNa(start = 0, fixed = true), pH(start = 3), H, OH, A;
equation
  der(V) = q;
  der(nNa) = q*cb;
  H = 1000*10^(-pH);
  OH = Kw/H;
  A = (100/V)*Ka/(Ka + H);
  H + nNa/V = OH + A;
  annotation(experiment(StopTime = 130));
end HealthyTitrationThroughTheJump;
