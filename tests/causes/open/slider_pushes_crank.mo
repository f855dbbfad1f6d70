// cause: impasse
// culprits: phi
// time: 3 +- 3e-3
// why: the slider is moved at constant speed, x = 0.35 + 0.05 t; the crank angle follows from the length of the rod:
//     cos(phi) = (x^2 + r^2 - l^2)/(2 r x), which reaches 1 at x = r + l = 0.5, t = 3, the outer dead centre. There phi' is
//     infinite, and no phi exists beyond.
model SliderPushesCrank "crank drive, driven by the slider"
  parameter Real r = 0.1, l = 0.4;
  Real x(start = 0.35, fixed = true), phi(start = 2), ypin, work(start = 0, fixed = true);
equation
  der(x) = 0.05;
  (x - r*cos(phi))^2 + (r*sin(phi))^2 = l^2;
  ypin = r*sin(phi);
  der(work) = 20*der(x);
  annotation(experiment(StopTime = 5));
end SliderPushesCrank;
