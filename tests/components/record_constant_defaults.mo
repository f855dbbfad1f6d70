// rule: a constant record that has a value does not fall back to the defaults of its class
// expect y(1) = 126
// expect z(0) = 1
record Fluid
  Real tc = 0;
  Boolean known = false;
end Fluid;
package Data
  constant Fluid nitrogen(tc = 126, known = true);
end Data;
partial package Medium
  constant Integer n = 1;
  constant Fluid fluids[n];
  function scaled
    input Real x;
    output Real y;
  algorithm
    assert(fluids[1].known, "no data");
    y := fluids[1].tc*x;
  end scaled;
end Medium;
package Nitrogen
  extends Medium(fluids = {Data.nitrogen});
end Nitrogen;
model Top
  package M = Nitrogen;
  Real y = M.scaled(time);
  Real z = if M.fluids[1].known then 1 else 2;
  annotation(experiment(StopTime = 1));
end Top;
