// rule: events that accumulate end the run at their limit, if the model does not say how it continues
// impacts of a ball from 1 m with half of its speed: the limit is 3 sqrt(2/g)
// expect exit 1
// expect error 'events accumulate at t = 1.354'
// expect error 'h < 0'
// expect end 3*sqrt(2/9.81) 
model ErrorAccumulation
  Real h(start = 1, fixed = true), v(start = 0, fixed = true);
equation
  der(h) = v;
  der(v) = -9.81;
  when h < 0 then
    reinit(v, -0.5*pre(v));
  end when;
  annotation(experiment(StopTime = 10));
end ErrorAccumulation;
