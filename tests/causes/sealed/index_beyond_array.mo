// cause: text
// culprits: T
// why: T has 5 elements, and the loop uses T[i + 1] for i = 5 too.
model IndexBeyondArray "heat conduction, the last cell without a neighbour"
  parameter Real k = 3;
  Real T[5](each start = 20, each fixed = true);
equation
  der(T[1]) = k*(100 - 2*T[1] + T[2]);
  for i in 2:5 loop
    der(T[i]) = k*(T[i - 1] - 2*T[i] + T[i + 1]);
  end for;
  annotation(experiment(StopTime = 2));
end IndexBeyondArray;
