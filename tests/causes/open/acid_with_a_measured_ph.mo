// cause: inconsistent_start
// culprits: H, Na, CA
// time: 0
// why: in mol/m3: 100 of acetic acid and no sodium give H = 1.33 by the charge balance; H is fixed at 1, Na at 0 and CA at 100.
model AcidWithAMeasuredPH "neutralisation of acetic acid, started at the reading of the pH meter"
  parameter Real Ka = 1.8e-2, Kw = 1e-8, feed = 0.5;
  Real H(start = 1, fixed = true), OH(start = 1e-8), A(start = 1);
  Real Na(start = 0, fixed = true), CA(start = 100, fixed = true);
equation
  der(Na) = feed;
  der(CA) = -0.001*CA;
  OH*H = Kw;
  A*(Ka + H) = CA*Ka;
  H + Na = OH + A;
  annotation(experiment(StopTime = 100));
end AcidWithAMeasuredPH;
