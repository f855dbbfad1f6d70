// cause: impasse | branch_jump
// culprits: v, p
// time: 5.8015653 +- 5e-3
// why: at the reduced temperature 0.9 the liquid branch of the isotherm ends at v = 0.71860, p = 0.41984 (dp/dv = 0);
//     p = 1 - 0.1 t gets there at 5.80157. The vapour, at v = 4.6, is another branch.
model LiquidSuperheated "van der Waals liquid in reduced units; the pressure is lowered"
  parameter Real T = 0.9;
  Real p, v(start = 0.56), rho, work(start = 0, fixed = true), level(start = 1, fixed = true);
equation
  p = 1 - 0.1*time;
  (p + 3/v^2)*(3*v - 1) = 8*T;
  rho = 1/v;
  der(work) = p*v;
  der(level) = 0.1*(v - level);
  annotation(experiment(StopTime = 7));
end LiquidSuperheated;
