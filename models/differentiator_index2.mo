// One ideal op-amp with a capacitor in front and a resistor back: the source is differentiated
// once, so that the last voltage needs derivative 1 of the source.  Index 2.
// reference: v[2] = 0.989992496600445 at t = 0.3, tolerance 1e-6
// from: closed form, v[n + 1] = (-R*C)^n times derivative n of the source
model DifferentiatorIndex2 "a cascade of 1 op-amp differentiator, index 2"
  parameter Integer n = 1 "stages";
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
end DifferentiatorIndex2;
