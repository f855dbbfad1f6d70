// cause: contradiction
// culprits: price, sold
// time: 2 +- 1e-3
// why: the price without a sale is 10 t, with a sale 10 t - 8, and it is sold where the price is above 20: between t = 2 and 2.8 neither
//     agrees with itself.
model AuctionWithoutAWinner
  Real price, income(start = 0, fixed = true);
  Boolean sold;
equation
  sold = price > 20;
  price = 10*time - (if sold then 8 else 0);
  der(income) = if sold then price else 0;
  annotation(experiment(StopTime = 4));
end AuctionWithoutAWinner;
