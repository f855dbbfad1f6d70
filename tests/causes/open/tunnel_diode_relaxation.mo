// cause: impasse | branch_jump
// culprits: x, i, vD
// time: 0.8068528 +- 2e-3
// why: on i = x^3/3 - x, der(i) = -x gives dt = (1/x - x) dx; from x = 2 the fold x = 1 is reached at t = 1.5 - ln 2.
//     A real circuit would jump to x = -2.
model TunnelDiodeRelaxation "relaxation oscillator with its parasitic capacitance left out"
  parameter Real L = 1;
  Real x(start = 2), i(start = 0.6666666666666666, fixed = true), vD, p, charge(start = 0, fixed = true);
equation
  i = x^3/3 - x;
  L*der(i) = -vD;
  vD = x;
  p = vD*i;
  der(charge) = i;
  annotation(experiment(StopTime = 2));
end TunnelDiodeRelaxation;
