// rule: a velocity that friction holds is zero but for errors, whose sign means nothing when it breaks loose
// run solve --rtol 1e-8 --method auto
// run solve --rtol 1e-8 --method rodas
// run solve --rtol 1e-8 --method limex
// run solve --rtol 1e-4 --method rodas
// expect v(0.5) = 0
// expect v(1.1) = 0.1812613596 +- 1e-3
// expect v(3) = 0.9402329047 +- 1e-3
model HeldVelocity "sticks until the pull exceeds 3"
  Real F = 5*sin(time), f, v(start = 0, fixed = true), sa;
  Integer mode(start = 0, fixed = true);
equation
  2*der(v) = F - f;
  f = if pre(mode) == 0 then sa elseif pre(mode) == 1 then 3 else -3;
  0 = if pre(mode) == 0 then der(v) else sa;
  mode = if pre(mode) == 0 and sa > 3 then 1
    elseif pre(mode) == 0 and sa < -3 then -1
    elseif pre(mode) == 1 and v < 0 or pre(mode) == -1 and v > 0 then 0
    else pre(mode);
  annotation(experiment(StopTime = 3));
end HeldVelocity;
