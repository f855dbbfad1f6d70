// cause: domain_error
// culprits: wd, zeta
// time: 0
// why: with zeta = 1.2 the system is overdamped, and sqrt(1 - zeta^2) is the root of -0.44.
model DampedFrequencyOfDamper "textbook solution of an oscillator beside the differential equation"
  parameter Real wn = 4, zeta = 1.2;
  Real x(start = 1, fixed = true), v(start = 0, fixed = true), wd, textbook;
equation
  der(x) = v;
  der(v) = -2*zeta*wn*v - wn^2*x;
  wd = wn*sqrt(1 - zeta^2);
  textbook = exp(-zeta*wn*time)*(cos(wd*time) + zeta*wn/wd*sin(wd*time));
  annotation(experiment(StopTime = 3));
end DampedFrequencyOfDamper;
