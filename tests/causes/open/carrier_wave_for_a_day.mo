// cause: too_much_work
// run: --timeout 3
// why: a carrier of 1 GHz for 86400 s: about 1e15 steps at any tolerance.
model CarrierWaveForADay "the carrier of a radio was modelled as well"
  Real x(start = 1, fixed = true), y(start = 0, fixed = true), T(start = 20, fixed = true), P;
equation
  der(x) = 6.28e9*y;
  der(y) = -6.28e9*x;
  P = x^2;
  3600*der(T) = 25 - T + 0.1*P;
  annotation(experiment(StopTime = 86400));
end CarrierWaveForADay;
