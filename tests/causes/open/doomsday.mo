// cause: blow_up
// culprits: N
// time: 50 +- 0.1
// why: der(N) = k N^2 with k N(0) = 0.02: N = N0/(1 - 0.02 t).
model Doomsday "population whose growth rate grows with the population"
  parameter Real k = 0.005;
  Real N(start = 4, fixed = true), birth, food(start = 100, fixed = true), perHead;
equation
  birth = k*N^2;
  der(N) = birth;
  der(food) = 1 - 0.001*food;
  perHead = food/N;
  annotation(experiment(StopTime = 100));
end Doomsday;
