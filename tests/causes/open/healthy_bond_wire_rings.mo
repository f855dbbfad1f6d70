// cause: none
// expect: v(2e-9) = 1.11171292 +- 1e-4; i(2e-9) = 2.0549e-3 +- 1e-5
// why: 2 nH, 3 pF and 5 Ohm ring for two nanoseconds; the formula of the damped oscillation.
model HealthyBondWireRings "output of a chip behind its bond wire, SI units"
  parameter Real L = 2e-9, C = 3e-12, R = 5;
  Real v(start = 0, fixed = true), i(start = 0, fixed = true, nominal = 0.01), vL;
equation
  vL = 1.2 - R*i - v;
  L*der(i) = vL;
  C*der(v) = i;
  annotation(experiment(StopTime = 2e-9));
end HealthyBondWireRings;
