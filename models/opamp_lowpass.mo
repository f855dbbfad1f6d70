// An inverting low pass: input resistor, and resistor and capacitor in the feedback of an
// operational amplifier of gain A.  Its node voltages are algebraic unknowns in a loop.
// reference: vOut = -6.32087814906 at t = 0.001, tolerance 1e-4
// from: closed form
model OpampLowpass "an active low-pass filter with an operational amplifier"
  parameter Real R1(unit = "Ohm") = 1e3, R2(unit = "Ohm") = 1e4, C(unit = "F") = 1e-7;
  parameter Real A = 1e5 "open-loop gain";
  Real vIn(unit = "V"), vMinus(unit = "V"), vOut(unit = "V");
  Real iIn(unit = "A"), iR(unit = "A"), iC(unit = "A");
  Real vC(unit = "V", start = 0, fixed = true) "over the feedback";
equation
  vIn = 1;
  vOut = -A*vMinus;
  vC = vMinus - vOut;
  vIn - vMinus = R1*iIn;
  vC = R2*iR;
  C*der(vC) = iC;
  iIn = iR + iC;
  annotation(experiment(StopTime = 5e-3));
end OpampLowpass;
