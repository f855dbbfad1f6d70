// rule: a branch that ends at the threshold of its relation is continued by the one that begins there
// run solve
// run solve --method radau
// expect q(3) = -sqrt(2)
// expect V(3) = 2/3 - 2/3*sqrt(8) +- 1e-4
// expect n(3) = 1
// expect events 1
model SteepWithRelations
  Real q(start = 1), V(start = 0, fixed = true);
  discrete Integer n(start = 0, fixed = true) "reversals";
equation
  1 - time = if q > 0 then q^2 else -q^2;
  der(V) = q;
  when q <= 0 then
    n = pre(n) + 1;
  end when;
  annotation(experiment(StopTime = 3));
end SteepWithRelations;
