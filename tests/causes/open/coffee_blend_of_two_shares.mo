// cause: inconsistent_start
// culprits: robusta, arabica
// time: 0
// why: the shares are fixed at 0.3 and 0.8, and their sum is to be one.
model CoffeeBlendOfTwoShares "roast loses robusta faster"
  Real robusta(start = 0.3, fixed = true), arabica(start = 0.8, fixed = true), taste;
equation
  der(robusta) = -0.1*robusta;
  arabica + robusta = 1;
  taste = 2*arabica - robusta;
  annotation(experiment(StopTime = 5));
end CoffeeBlendOfTwoShares;
