// A stirred reactor whose product is prescribed; the temperature of the coolant is computed.  The
// chain concentration - rate - temperature - coolant is inverted: all unknowns follow from the
// product and its derivatives, and no start value is free.  Index 3.
// reference: Tc = -1.218902913713 at t = 1, tolerance 1e-6
// reference: R = 0.3618226709324 at t = 1, tolerance 1e-6
// from: closed form (tests/golden/reference_values.py)
model ReactorPrescribed "coolant for a prescribed product, index 3"
  parameter Real K1 = 1 "feed", K2 = 2 "feed of heat", K3 = 0.5 "heat of the reaction";
  parameter Real K4 = 3 "activation", KA = 10 "rate", C0 = 1, T0 = 1.5;
  Real C(start = 0.5) "concentration", T(start = 1.2) "temperature";
  Real R(start = 0.4) "rate", Tc "coolant", u "prescribed concentration";
equation
  u = 0.5 + 0.1*sin(time);
  der(C) = K1*(C0 - C) - R;
  der(T) = K1*(T0 - T) + K2*R - K3*(T - Tc);
  R = KA*exp(-K4/T)*C;
  C = u;
  annotation(experiment(StopTime = 5));
end ReactorPrescribed;
