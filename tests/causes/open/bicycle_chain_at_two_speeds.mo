// cause: inconsistent_start
// culprits: crank, wheel
// time: 0
// why: the chain ties the speeds, 2.5 to 1; both are fixed, at 10 and 20.
model BicycleChainAtTwoSpeeds
  parameter Real Jc = 0.2, Jw = 0.1, ratio = 2.5;
  Real crank(start = 10, fixed = true), wheel(start = 20, fixed = true), tc, tw;
equation
  Jc*der(crank) = 30 - tc;
  Jw*der(wheel) = tw - 0.1*wheel;
  wheel = ratio*crank;
  tc = ratio*tw;
  annotation(experiment(StopTime = 5));
end BicycleChainAtTwoSpeeds;
