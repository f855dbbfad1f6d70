// cause: chattering
// culprits: theta, err
// time: 0.50530775 +- 0.02
// why: the estimate moves with speed 3 towards the value, sin(t), whose speed is 1 at most: it meets it where 2 - 3 t = sin(t), and
//     from there on err has the wrong sign on either side.
model EstimatorWithSign "adaptive law of the type gain times sign of the error"
  parameter Real gain = 3;
  Real theta(start = 2, fixed = true), value, err, cost(start = 0, fixed = true);
equation
  value = sin(time);
  err = theta - value;
  der(theta) = -gain*sign(err);
  der(cost) = abs(err);
  annotation(experiment(StopTime = 5));
end EstimatorWithSign;
