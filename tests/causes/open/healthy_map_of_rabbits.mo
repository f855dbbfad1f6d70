// cause: none
// expect: n(20.5) = 0.7993221899 +- 1e-9
// why: the logistic map with r = 3.2, twenty times from 0.3.
model HealthyMapOfRabbits
  discrete Real n(start = 0.3, fixed = true);
  Real grass(start = 1, fixed = true);
equation
  when sample(1, 1) then
    n = 3.2*pre(n)*(1 - pre(n));
  end when;
  der(grass) = 0.5 - n*grass;
  annotation(experiment(StopTime = 20.5));
end HealthyMapOfRabbits;
