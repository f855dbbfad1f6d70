// rule: parameters may be arrays; size from the value with [:]
// expect y(1) = 15
model ParameterArray
  parameter Real k[:] = {1, 2, 4};
  parameter Real q[3] = 2*k;
  Real y = (k[1] + q[2] + k[3]*2 + size(k, 1) - 1)*time "1 + 4 + 8 + 2";
  annotation(experiment(StopTime = 1));
end ParameterArray;
