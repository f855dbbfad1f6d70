// rule: states that initial equations determine are led to the solution next to simplified, too
// sin(x) + 0.3 x = 3 at 7.25, 9.17 and 11.94
// expect x(0) = 7.252213486413677
// expect z(0) = 11.943786880474713
model HomotopyOfStates
  Real x, z;
initial equation
  0 = homotopy(sin(x) + 0.3*x - 3, x - 5);
  0 = homotopy(sin(z) + 0.3*z - 3, z - 13.5);
equation
  der(x) = 0;
  der(z) = 0;
  annotation(experiment(StopTime = 0.1));
end HomotopyOfStates;
