// cause: none
// expect: V(5) = -2.191229111 +- 1e-3; q(5) = 1.065198921 +- 1e-4
// why: q |q| = 4 cos(t) has exactly one solution at all times; its slope is infinite where the flow reverses, at pi/2 and 3
//     pi/2, but it goes through. V by Simpson's rule with a substitution at the zeros.
model HealthySquareLawReverses "turbulent flow between two basins, one with waves"
  Real p, q(start = 2), V(start = 0, fixed = true);
equation
  p = 4*cos(time);
  q*abs(q) = p;
  der(V) = q;
  annotation(experiment(StopTime = 5));
end HealthySquareLawReverses;
