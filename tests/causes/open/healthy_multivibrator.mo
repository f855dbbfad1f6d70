// cause: none
// expect: n(1) = 1443 +- 0.1; vc(1) = 2.8246 +- 0.3
// why: a capacitor is charged to 12 V and to -12 V in turn between the thresholds -4 V and 4 V: half a period is R C ln 2.
model HealthyMultivibrator "operational amplifier with Schmitt trigger"
  parameter Real R = 1e4, C = 1e-7;
  Real vc(start = 0, fixed = true), vo;
  Boolean high(start = true, fixed = true);
  Integer n(start = 0, fixed = true);
equation
  high = vc < -4 or pre(high) and vc < 4;
  vo = if high then 12 else -12;
  R*C*der(vc) = vo - vc;
  when change(high) then
    n = pre(n) + 1;
  end when;
  annotation(experiment(StopTime = 1));
end HealthyMultivibrator;
