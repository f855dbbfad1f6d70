// cause: none
// expect: v1(1) = 0.4161468365 +- 1e-5; v2(1) = -0.9092974268 +- 1e-5; z(1) = -0.7080734183 +- 1e-5
// why: ideal op-amps: v1 = -R C u', v2 = -R C v1' = (R C)^2 u''; with u = sin(2 t), R C = 0.5: v1 = -cos(2 t), v2 = -sin(2 t),
//     z = -(1 - cos(2 t))/2. Index 3.
model HealthyTwoDifferentiators "cascade of op-amp differentiators"
  parameter Real R = 5e5, C = 1e-6;
  Real u, n1, n2, uc1, uc2, i1(nominal = 1e-6), i2(nominal = 1e-6), v1, v2, z(start = 0, fixed = true);
equation
  u = sin(2*time);
  n1 = 0;
  n2 = 0;
  uc1 = u - n1;
  i1 = C*der(uc1);
  n1 - v1 = R*i1;
  uc2 = v1 - n2;
  i2 = C*der(uc2);
  n2 - v2 = R*i2;
  der(z) = v2;
  annotation(experiment(StopTime = 1));
end HealthyTwoDifferentiators;
