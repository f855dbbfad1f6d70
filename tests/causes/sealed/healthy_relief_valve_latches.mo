// cause: none
// expect: W(5) = 2.5225 +- 1e-3
// why: the valve opens at dp = 1, t = 2; dp falls to 0.04 at once, but the valve stays open above 0.02.
//     W is the integral of t^3/4 until 2 and of t^3/100 from there on.
model HealthyReliefValveLatches "a relief valve with hysteresis"
  parameter Real k = 10;
  Real q, dp, W(start = 0, fixed = true);
  Boolean open(start = false, fixed = true);
equation
  q = time;
  dp = (q/((if pre(open) then 1 else 0.2)*k))^2;
  open = dp > 1 or pre(open) and dp > 0.02;
  der(W) = q*dp;
  annotation(experiment(StopTime = 5));
end HealthyReliefValveLatches;
