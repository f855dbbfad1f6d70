// cause: no_solution
// culprits: p
// time: 0
// why: 100 - 2 p = 150 + p^2 has the discriminant 4 - 200: no price clears the market.
model MarketWithoutAPrice
  Real p(start = 10), demand, supply, stock(start = 5, fixed = true);
equation
  demand = 100 - 2*p;
  supply = 150 + p^2;
  demand = supply;
  der(stock) = 0.01*supply - stock;
  annotation(experiment(StopTime = 5));
end MarketWithoutAPrice;
