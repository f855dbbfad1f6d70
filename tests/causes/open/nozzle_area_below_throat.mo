// cause: no_solution
// culprits: M, ratio
// time: 0
// why: A/A* as a function of the Mach number has its minimum 1 at M = 1 and is negative for M < 0; the user swapped
//     throat and exit, so that A/A* = 0.8 is asked for. No Mach number has it.
model NozzleAreaBelowThroat "vessel that empties through a nozzle, isentropic flow"
  parameter Real k = 1.4, A = 8e-5, Athroat = 1e-4, V = 0.05, T0 = 300, Rg = 287;
  Real p0(start = 5e5, fixed = true, nominal = 1e5), M(start = 0.3), ratio, mdot;
equation
  ratio = A/Athroat;
  ((2 + (k - 1)*M^2)/(k + 1))^((k + 1)/(2*(k - 1))) = ratio*M;
  mdot = 0.0404*p0*Athroat/sqrt(T0)*M;
  der(p0) = -mdot*Rg*T0/V;
  annotation(experiment(StopTime = 5));
end NozzleAreaBelowThroat;
