// rule: a function may call itself
// expect y(1) = 120
// expect z(1) = 8
function factorial
  input Integer n;
  output Integer f;
algorithm
  f := if n <= 1 then 1 else n*factorial(n - 1);
end factorial;
function power
  input Real x;
  input Integer n;
  output Real y;
algorithm
  if n == 0 then y := 1; else y := x*power(x, n - 1); end if;
end power;
model FunctionRecursion
  Integer y = factorial(5);
  Real z = power(2*time, 3);
  annotation(experiment(StopTime = 1));
end FunctionRecursion;
