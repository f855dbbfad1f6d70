// cause: none
// expect: theta(10.02) = 19.97840538 +- 1e-3; w(10.02) = 2.343806414 +- 0.02
// why: a linear oscillator whose rest position jumps by 0.1 twenty times a second; propagated from step to step with its exact
//     solution.
model HealthyStepperMotor "two hundred steps of a stepper motor"
  parameter Real wn = 40, zeta = 0.1;
  Real theta(start = 0, fixed = true), w(start = 0, fixed = true), command;
equation
  command = 0.1*floor(20*time);
  der(theta) = w;
  der(w) = wn^2*(command - theta) - 2*zeta*wn*w;
  annotation(experiment(StopTime = 10.02));
end HealthyStepperMotor;
