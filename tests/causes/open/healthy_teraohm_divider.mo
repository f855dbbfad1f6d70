// cause: none
// expect: vm(1) = 0.5 +- 1e-5; vc(1) = 0.6321205588 +- 1e-5
// why: a node that hangs on two resistors of 1e12 ohm is determined: half the source; vc = 1 - exp(-t) from the other
//     branch.
model HealthyTeraohmDivider "almost a floating node"
  parameter Real Rbig = 1e12, R = 1e6, C = 1e-6;
  Real vs, vm, i1, i2, vc(start = 0, fixed = true), ic;
equation
  vs = 1;
  i1 = (vs - vm)/Rbig;
  i2 = vm/Rbig;
  i1 = i2;
  ic = (vs - vc)/R;
  C*der(vc) = ic;
  annotation(experiment(StopTime = 1));
end HealthyTeraohmDivider;
