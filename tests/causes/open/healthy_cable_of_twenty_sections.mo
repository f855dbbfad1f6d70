// cause: none
// expect: v[10](2.2e-7) = 0.5058444 +- 1e-3; v[20](2.2e-7) = 0.5118853 +- 1e-3; i[1](2.2e-7) = 0.01005173 +- 2e-5
// why: a wave runs along a matched line of coils and capacitors within 0.1 us; matrix exponential.
model HealthyCableOfTwentySections "ladder network of a 50 Ohm cable, a volt is switched on"
  parameter Integer N = 20;
  parameter Real L = 2.5e-7, C = 1e-10, Z = 50;
  Real i[N](each start = 0, each fixed = true, each nominal = 0.01), v[N](each start = 0, each fixed = true);
equation
  L*der(i[1]) = 1 - Z*i[1] - v[1];
  for k in 2:N loop
    L*der(i[k]) = v[k - 1] - v[k];
  end for;
  for k in 1:N - 1 loop
    C*der(v[k]) = i[k] - i[k + 1];
  end for;
  C*der(v[N]) = i[N] - v[N]/Z;
  annotation(experiment(StopTime = 2.2e-7));
end HealthyCableOfTwentySections;
