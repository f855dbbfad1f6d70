// rule: derivatives in a clocked partition are computed by the method of its clock
// The first tick has the start value; x' = -x with steps of 0.1 by three methods.
// run solve
// expect x(0.35) = 1/1.1**3
// expect y(0.35) = 0.9**3
// expect z(0.35) = (0.95/1.05)**3
// expect a(0.35) = 2
// expect b(0.35) = 1
model ClockSolver
  Real x(start = 1), y(start = 1), z(start = 1), u;
  Real a, b "a loop: a + b = 3, a - b = 1";
equation
  when Clock(Clock(0.1), solverMethod = "ImplicitEuler") then
    der(x) = -x;
  end when;
  when Clock(Clock(0.1), "ExplicitEuler") then
    der(y) = -y;
  end when;
  when Clock(Clock(0.1), "ImplicitTrapezoid") then
    der(z) = -z;
  end when;
  u = sample(3.0, Clock(1, 10));
  a + b = u;
  a - b = u - 2;
  annotation(experiment(StopTime = 0.4));
end ClockSolver;
