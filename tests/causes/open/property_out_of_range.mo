// cause: assertion
// culprits: T, range
// time: 3.5 +- 1e-2
// why: T = 300 + 20 t reaches 370 at t = 3.5, where the function's assertion fails.
model PropertyOutOfRange "an assertion inside a property function, in a larger model"
  function density
    input Real T;
    output Real rho;
  algorithm
    assert(T < 370, "density: temperature out of range");
    rho := 1000 - 0.3*(T - 300);
  end density;
  Real T(start = 300, fixed = true), rho, m, V(start = 1, fixed = true), p, q1, q2, a(start = 1, fixed = true), b(start = 0, fixed = true);
equation
  der(T) = 20;
  rho = density(T);
  m = rho*V;
  q1 = 0.1*a;
  q2 = 0.05*b;
  der(V) = q2 - q1;
  der(a) = -q1;
  der(b) = q1 - q2;
  p = rho*9.81*V;
  annotation(experiment(StopTime = 6));
end PropertyOutOfRange;
