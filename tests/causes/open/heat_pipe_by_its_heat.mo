// cause: contradiction | event_iteration
// culprits: blocked, Q1, Q2
// time: 0.92729522 +- 1e-2
// why: of two heat pipes that block where their heat is negative, the first meets the contradiction where the sine falls below -0.8.
model HeatPipeByItsHeat "two heat pipes, each of which tests its own heat, in kW"
  Real T, T1(start = 290, fixed = true), Q1, Q2, d;
  Boolean blocked, blocked2;
equation
  T = 300 + 10*cos(time) - 6;
  Q1 = if blocked then 0 else 0.1*(T - 300) + d;
  blocked = Q1 < 0;
  d = 0*time;
  Q2 = if blocked2 then 0 else 0.1*(T - 280);
  blocked2 = Q2 < 0;
  2000*der(T1) = Q1 + Q2 - 0.001*(T1 - 290);
  annotation(experiment(StopTime = 3));
end HeatPipeByItsHeat;
