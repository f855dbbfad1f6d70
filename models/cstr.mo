// A stirred tank in which A reacts to B and heats the tank, which is cooled.  At this coolant
// temperature it oscillates; -p Tc=300 lets it settle.  Shows a function.
// reference: T = 383.846067639 at t = 10, tolerance 1e-3
// from: extrapolation method at 1e-13 (tests/golden/reference_values.py)
model CSTR "a stirred-tank reactor with an exothermic reaction"
  function arrhenius
    input Real k0, E, T;
    output Real k;
  algorithm
    k := k0*exp(-E/T);
  end arrhenius;
  parameter Real q(unit = "l/min") = 100, V(unit = "l") = 100, cIn(unit = "mol/l") = 1;
  parameter Real TIn(unit = "K") = 350, Tc(unit = "K") = 305;
  parameter Real k0(unit = "1/min") = 7.2e10, E(unit = "K") = 8750;
  parameter Real dH(unit = "J/mol") = 5e4, rhoCp(unit = "J/(l.K)") = 239;
  parameter Real UA(unit = "J/(min.K)") = 5e4;
  Real c(unit = "mol/l", start = 0.5, fixed = true);
  Real T(unit = "K", start = 350, fixed = true, nominal = 300);
  Real r(unit = "mol/(l.min)") "rate";
equation
  r = arrhenius(k0, E, T)*c;
  V*der(c) = q*(cIn - c) - V*r;
  V*rhoCp*der(T) = q*rhoCp*(TIn - T) + V*dH*r + UA*(Tc - T);
  annotation(experiment(StopTime = 20));
end CSTR;
