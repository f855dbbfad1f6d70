// Two ideal op-amps with a capacitor in front and a resistor back: the source is differentiated
// twice, so that the last voltage needs derivative 2 of the source.  Index 3.
// reference: v[3] = -0.141120008059867 at t = 0.3, tolerance 1e-6
// from: closed form, v[n + 1] = (-R*C)^n times derivative n of the source
model DifferentiatorIndex3 "a cascade of 2 op-amp differentiators, index 3"
  parameter Integer n = 2 "stages";
  parameter Real R(unit = "Ohm") = 1e3, C(unit = "F") = 1e-4, w(unit = "rad/s") = 10;
  Real v[n + 1](each unit = "V") "the source and the outputs";
  Real i[n](each unit = "A");
equation
  v[1] = sin(w*time);
  for k in 1:n loop
    i[k] = C*der(v[k]) "the negative input stays at 0 V";
    v[k + 1] = -R*i[k];
  end for;
  annotation(experiment(StopTime = 1));
end DifferentiatorIndex3;
