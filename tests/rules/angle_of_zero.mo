// rule: a variable whose factor is zero for all times is undetermined, not at an impasse
// run solve
// expect exit 1
// expect error 'the equations leave angle free at t = 0'
model AngleOfZero
  parameter Real force = 0;
  Real u(start = 0, fixed = true), w(start = 0, fixed = true), size(start = 0), angle(start = 1);
equation
  der(u) = force - 2*u;
  der(w) = 0.5*force - w;
  size*sin(angle) = w;
  size*cos(angle) = u;
  annotation(experiment(StopTime = 1));
end AngleOfZero;
