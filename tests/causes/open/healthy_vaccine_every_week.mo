// cause: none
// expect: susceptible(30) = 13.41746595 +- 1e-3; ill(30) = 5.348697619 +- 1e-3
// why: the equations of Kermack and McKendrick with a tenth vaccinated at 7, 14, 21, 28: integrated with steps of 1e-4 by a method of
//     order four.
model HealthyVaccineEveryWeek
  Real susceptible(start = 99, fixed = true), ill(start = 1, fixed = true);
equation
  der(susceptible) = -0.005*susceptible*ill;
  der(ill) = 0.005*susceptible*ill - 0.2*ill;
  when sample(7, 7) then
    reinit(susceptible, 0.9*pre(susceptible));
  end when;
  annotation(experiment(StopTime = 30));
end HealthyVaccineEveryWeek;
