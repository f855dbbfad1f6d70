// cause: assertion
// culprits: T
// time: 1004.386 +- 1
// why: T = 20 + 160 (1 - exp(-t/600)) passes the 150 degrees that the assertion allows.
model AutoclaveTooHot "autoclave with a constant heater"
  parameter Real C = 3e4, G = 50, P = 8000;
  Real T(start = 20, fixed = true), p;
equation
  C*der(T) = P - G*(T - 20);
  p = 1.013*exp(11.7 - 4360/(T + 273.15));
  assert(T < 150, "the autoclave is hotter than its seal allows");
  annotation(experiment(StopTime = 3000));
end AutoclaveTooHot;
