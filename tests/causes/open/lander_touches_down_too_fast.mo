// cause: assertion
// culprits: v, legs, h
// time: 4.3899506 +- 1e-3
// why: free fall with 1.62 from 20 m with 1 m/s downwards: it touches down at 4.390 s with 8.11 m/s, and the assertion in the
//     when clause allows 2.
model LanderTouchesDownTooFast "last metres of a moon landing, engine off"
  parameter Real g = 1.62;
  Real h(start = 20, fixed = true), v(start = -1, fixed = true);
  Boolean down(start = false, fixed = true);
equation
  der(h) = if down then 0 else v;
  der(v) = if down then 0 else -g;
  when h < 0 then
    down = true;
    assert(v > -2, "the legs break above 2 m/s");
  end when;
  annotation(experiment(StopTime = 10));
end LanderTouchesDownTooFast;
