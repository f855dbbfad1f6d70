// rule: a when-equation inside a for-equation is repeated
// expect n[1](0.3) = 1
// expect n[2](0.3) = 0
// expect n[2](0.6) = 4
model WhenFor
  Integer n[3](each start = 0, each fixed = true);
equation
  for i in 1:3 loop
    when time >= 0.25*i then
      n[i] = i*i + pre(n[i]);
    end when;
  end for;
  annotation(experiment(StopTime = 1));
end WhenFor;
